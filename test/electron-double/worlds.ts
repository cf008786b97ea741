/** How the two worlds of a page identify what they pass: a value, or a reference to an object. */
export type Crossing =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'members'; readonly members: Readonly<Record<string, Crossing>> }
  | { readonly kind: 'function'; readonly id: string }
  | { readonly kind: 'promise'; readonly id: string }
  | { readonly kind: 'error'; readonly message: string }

/** Names of the document events between the worlds; `detail` is cloned from one to the other. */
export const EVENTS = {
  open: 'electron-double:open',
  expose: 'electron-double:expose',
  call: 'electron-double:call',
  callback: 'electron-double:callback',
  answer: 'electron-double:answer:',
  settle: 'electron-double:settle:',
}
export type Events = typeof EVENTS

/** Binding of the isolated world that sends to main, and the function there that main calls. */
export const SEND = '__electronDoubleSend'
export const DELIVER = '__electronDoubleDeliver'
