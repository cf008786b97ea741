import { readFile } from 'node:fs/promises'
import { protocol } from 'electron'
import { pagePolicy } from '../../shared/console/bridge/web.ts'
import { appFile, ORIGIN, SCHEME } from './addresses.ts'

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

/** The facts of Electron about the sender of a message that are used here. */
interface Sent<Page extends object> {
  readonly sender: Page
  /** Null once the frame is gone or shows another document. */
  readonly senderFrame: { readonly origin: string; readonly parent: unknown } | null
}

/** The pages that were opened as the console. */
const consoles = new WeakSet<object>()

/** Lets a page have ports: the console's own window, before it loads. */
export function trust(page: object): void {
  consoles.add(page)
}

/**
 * Returns the sender of a message if it is the main frame of a console window that shows the console,
 * else undefined. Ask again after awaiting anything: the frame may navigate in the meantime.
 */
export function consoleOf<Page extends object>({ sender, senderFrame }: Sent<Page>) {
  const trusted =
    senderFrame !== null &&
    senderFrame.parent === null &&
    senderFrame.origin === ORIGIN &&
    consoles.has(sender)
  return trusted ? sender : undefined
}
