import { createNotesRegistry } from '../notes/notes-registry.ts'
import { runToolHost } from './run-tool-host.ts'

runToolHost(createNotesRegistry())
