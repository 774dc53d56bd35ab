import { config } from 'patchbay'

export default config({
  name: 'birds',
  version: '1.0.0',
  title: 'Which bird is it?',
  instructions:
    'An expert system that knows some birds of North America. identify_bird finds out which one was seen and asks for what it ' +
    'needs; explain_bird says by what a bird is known; the birds are resources birds://bird/{id}.',
})
