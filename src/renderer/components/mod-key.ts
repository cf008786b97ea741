/** What the key of most shortcuts is called on this machine. */
export const modKey = navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl'
