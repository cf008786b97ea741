let isOpen = false

/**
 * Opens a system dialog; returns `busy` while another one is open. Otherwise a page could cover the
 * screen with dialogs.
 */
export async function oneDialog<Answer>(ask: () => Promise<Answer>, busy: Answer): Promise<Answer> {
  if (isOpen) return busy
  isOpen = true
  try {
    return await ask()
  } finally {
    isOpen = false
  }
}
