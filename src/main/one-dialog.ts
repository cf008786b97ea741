let isOpen = false

/**
 * Asks the person in a dialog of the system; answers `busy` while another one is open. A page could
 * cover the screen with them otherwise.
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
