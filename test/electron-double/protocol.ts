import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app } from './app.ts'
import { standIn } from './stand-in.ts'

type Handler = (request: Request) => Response | Promise<Response>

interface CustomScheme {
  readonly scheme: string
  readonly privileges?: { readonly standard?: boolean; readonly secure?: boolean }
}

const privileged = new Map<string, CustomScheme>()
const handlers = new Map<string, Handler>()
const SUFFIX = 'electron-double.invalid'

export const protocol = standIn('protocol', {
  registerSchemesAsPrivileged(schemes: readonly CustomScheme[]): void {
    app.beforeReady('protocol.registerSchemesAsPrivileged')
    for (const scheme of schemes) privileged.set(scheme.scheme, scheme)
  },
  handle(scheme: string, handler: Handler): void {
    const privileges = privileged.get(scheme)?.privileges
    if (!privileges?.standard || !privileges.secure) {
      throw new Error(`The Electron double serves standard, secure schemes only, not ${scheme}`)
    }
    if (handlers.has(scheme)) throw new Error(`The scheme ${scheme} has a handler already`)
    handlers.set(scheme, handler)
  },
  unhandle: (scheme: string) => {
    handlers.delete(scheme)
  },
  isProtocolHandled: (scheme: string) => handlers.has(scheme),
})

export function handlerOf(url: string): Handler | undefined {
  return handlers.get(new URL(url).protocol.slice(0, -1))
}

/**
 * Chromium does not know the app's schemes: inside it, `app://console/x` is
 * `https://console.app.electron-double.invalid/x`, which is standard and secure as well.
 */
export function toChromium(url: string): string {
  const [, scheme = '', host = '', rest = ''] =
    /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(.*)$/.exec(url) ?? []
  return privileged.has(scheme) ? `https://${host}.${scheme}.${SUFFIX}${rest || '/'}` : url
}

export function fromChromium(url: string): string {
  const [, host = '', scheme = '', rest = ''] =
    /^https:\/\/([^/]*)\.([a-z0-9+-]+)\.electron-double\.invalid(.*)$/.exec(url) ?? []
  return privileged.has(scheme) ? `${scheme}://${host}${rest}` : url
}

/** The origin as Electron serializes it; `null` if there is none. */
export function originOf(url: string): string {
  if (!URL.canParse(url)) return 'null'
  const { protocol: scheme, host, origin } = new URL(url)
  return privileged.has(scheme.slice(0, -1)) ? `${scheme}//${host}` : origin
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

export const net = standIn('net', {
  isOnline: () => true,
  async fetch(input: string | URL | Request, options?: RequestInit): Promise<Response> {
    const url = input instanceof Request ? input.url : String(input)
    const handler = handlerOf(url)
    if (handler !== undefined) return await handler(new Request(input, options))
    if (!url.startsWith('file:')) return await fetch(input, options)
    try {
      const type = types[extname(new URL(url).pathname)] ?? 'application/octet-stream'
      return new Response(await readFile(fileURLToPath(url)), { headers: { 'content-type': type } })
    } catch {
      throw new Error('net::ERR_FILE_NOT_FOUND')
    }
  },
})
