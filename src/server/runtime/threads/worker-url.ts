import { extname } from 'node:path'

/**
 * The script of a worker beside the file that starts it, of which `starter` is the `import.meta.url`: `.ts` among sources,
 * `.js` in the build, as an entry of `electron.vite.config.ts`.
 */
export function workerUrl(name: string, starter: string): URL {
  return new URL(`./${name}${extname(starter)}`, starter)
}
