import { ORIGIN } from './addresses.ts'

/** The facts of Electron about the sender of a message that are used here. */
export interface Sent<Page extends object> {
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
