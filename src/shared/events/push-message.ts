/** What a push notification says: the JSON that the server encrypts for a browser, and its service worker shows. */
export interface PushMessage {
  readonly title: string
  readonly body: string
  /** The path of the console's screen that it is about, as in its address after `#`. */
  readonly path: string
  /** A notification takes the place of one with the same tag. */
  readonly tag: string
  /** Whether it stays until somebody closes it. */
  readonly isUrgent: boolean
}
