import { config } from 'patchbay'

export default config({
  name: 'notes',
  title: 'Patchbay notes',
  version: '1.0.0',
  instructions:
    'Notes kept in memory. create_note keeps one, search_notes and list_notes find them, each is a resource ' +
    'notes://{id}, and notes://index links them all. Nothing is kept when Patchbay ends.',
})
