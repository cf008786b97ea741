import { extname } from 'node:path'

/**
 * The script of a worker thread that lies beside the file that starts it, whose `import.meta.url`
 * is `starter`: as `.ts` among the sources, as `.js` in the build. There it is an entry of
 * `electron.vite.config.ts`, and all that is built lies in one folder.
 */
export function workerUrl(name: string, starter: string): URL {
  return new URL(`./${name}${extname(starter)}`, starter)
}
