import { readFile } from 'node:fs/promises'
import { protocol } from 'electron'
import { pagePolicy } from '../../shared/console/bridge/web.ts'
import { appFile, SCHEME } from './addresses.ts'

const CONTENT_SECURITY_POLICY = pagePolicy("connect-src 'none'")

/** Makes `app:` a scheme with an origin. Must be called before Electron is ready. */
export function declareAppScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true }
  protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges }])
}

/** Serves the files in `root` at the page's addresses, and 404 for everything else. */
export function serveApp(root: string): void {
  protocol.handle(SCHEME, async ({ method, url }) => {
    const file = method === 'GET' ? appFile(root, url) : undefined
    const content = file && (await readFile(file.path).catch(() => undefined))
    if (file === undefined || content === undefined) return new Response(null, { status: 404 })
    return new Response(new Uint8Array(content), { headers: headersOf(file.contentType) })
  })
}

function headersOf(contentType: string): Record<string, string> {
  return {
    'Content-Type': contentType,
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache',
  }
}
