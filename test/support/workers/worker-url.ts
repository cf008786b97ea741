import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inject } from 'vitest'

/** Returns the bundled script of a worker thread, in place of `src/server/worker-url.ts`. */
export function workerUrl(name: string, _starter: string): URL {
  return pathToFileURL(join(inject('workers'), `${name}.js`))
}
