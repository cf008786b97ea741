/** Puts a text on the clipboard. Rejects if the browser does not allow it. */
export async function copyText(text: string): Promise<void> {
  // A page that came over plain HTTP from another computer has no clipboard of its own (W3C, Clipboard API).
  if (window.isSecureContext) await navigator.clipboard.writeText(text)
  else copySelected(text)
}

function copySelected(text: string): void {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  field.style.opacity = '0'
  // Inside of an open dialog, which would take the focus back.
  const parent = focused?.parentElement ?? document.body
  parent.append(field)
  try {
    field.select()
    if (!document.execCommand('copy')) throw new Error('The browser did not copy the text.')
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
