import { ORIGIN } from './origin.ts'

/** What Electron says of where a message comes from, as far as it counts here. */
export interface Sent<Page extends object> {
  readonly sender: Page
  /** Null once the frame has gone. */
  readonly senderFrame: { readonly origin: string; readonly parent: unknown } | null
}

/** The pages that were opened as the console. */
const consoles = new WeakSet<object>()

/** Lets a page call: the console's own window, before it loads. */
export function trust(page: object): void {
  consoles.add(page)
}

/**
 * The sender of a message, where it is the main frame of a console window that shows the console.
 * Throws otherwise. Must be called before anything is awaited: the frame may have gone elsewhere
 * by then.
 */
export function trustedSender<Page extends object>({ sender, senderFrame }: Sent<Page>): Page {
  const trusted =
    senderFrame !== null &&
    senderFrame.parent === null &&
    senderFrame.origin === ORIGIN &&
    consoles.has(sender)
  if (!trusted) throw new Error('refused: the sender is not the console')
  return sender
}
