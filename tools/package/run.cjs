'use strict'
// What the command line finds its other files by.
process.argv[1] = `${__dirname}/patchbay.js`
import(require('node:url').pathToFileURL(process.argv[1]).href)
