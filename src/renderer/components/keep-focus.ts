/**
 * For the end of a dialog. What opened it may be gone with what it changed; the heading of the screen
 * takes the focus then, so that the keyboard does not start from nowhere.
 */
export function keepFocus(): void {
  setTimeout(() => {
    if (document.activeElement === document.body) document.querySelector('h1')?.focus()
  }, 50)
}
