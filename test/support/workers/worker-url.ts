import { pathToFileURL } from 'node:url'
import { scriptFile } from './script-file.ts'

/** Returns the bundled script of a worker thread, in place of `src/server/runtime/threads/worker-url.ts`. */
export function workerUrl(name: string, _starter: string): URL {
  return pathToFileURL(scriptFile(name))
}
