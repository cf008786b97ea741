import { extname, isAbsolute, relative, resolve, sep } from 'node:path'

/** The console's page has an origin of its own, which no web server can have. */
export const SCHEME = 'app'
export const ORIGIN = `${SCHEME}://console`
export const START_PAGE = `${ORIGIN}/index.html`

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}

/** A file of the page. */
export interface AppFile {
  readonly path: string
  readonly contentType: string
}

/**
 * Returns the file in `root` that an address of the console names. Undefined for another origin, a path
 * that leads out of `root` once it is decoded, and a file type that the page does not have.
 */
export function appFile(root: string, address: string): AppFile | undefined {
  const path = pathIn(root, address)
  if (path === undefined) return undefined
  const contentType = TYPES[extname(path)]
  return contentType === undefined ? undefined : { path, contentType }
}

function pathIn(root: string, address: string): string | undefined {
  if (!address.startsWith(`${ORIGIN}/`) || !URL.canParse(address)) return undefined
  const decoded = decode(new URL(address).pathname)
  // Separators and drives of Windows, streams of NTFS, ends of strings of C.
  if (decoded === undefined || /[\\:\0]/.test(decoded)) return undefined
  const path = resolve(root, `.${decoded}`)
  const inside = relative(root, path)
  if (inside === '' || inside.split(sep)[0] === '..' || isAbsolute(inside)) return undefined
  return path
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** Returns the address if a browser may open it: http or https, without a user name or password. */
export function webLink(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && url.username === '' && url.password === '' ? url.href : undefined
}
