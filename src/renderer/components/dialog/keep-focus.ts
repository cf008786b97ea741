/** What a dialog or a menu is made of: the focus returns from there to what it came from. */
const OVERLAY = '[role=dialog], [role=menu]'

/** The last element outside of dialogs and menus that had the focus: the opener of what is open now. */
let opener: HTMLElement | undefined
/** The last element that had the focus at all; undefined once a click on nothing took it away. */
let current: HTMLElement | undefined
/** Whether `current` lost the focus because it was disabled. */
let isWaiting = false
let settling: ReturnType<typeof setTimeout> | undefined

/**
 * Keeps the focus from falling to the body while the page runs: when what had it is gone, the open dialog gets
 * it, else the heading of the screen; when it was disabled for a while, it gets the focus back. In a dialog, the
 * dialog itself takes it instead: nobody may be outside of it meanwhile.
 */
export function keepFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    current = target
    isWaiting = false
    if (target.closest(OVERLAY) === null) opener = target
  })
  document.addEventListener('focusout', settleSoon)
  new MutationObserver(settleSoon).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled'],
  })
}

/** Between two elements nothing has the focus for a moment: what counts is where it is afterwards. */
function settleSoon(): void {
  if (settling !== undefined || current === undefined || !isLost()) return
  settling = setTimeout(() => {
    settling = undefined
    if (current !== undefined && isLost()) settle(current)
  })
}

function settle(last: HTMLElement): void {
  const dialog = last.closest<HTMLElement>('[role=dialog]')
  if (!last.isConnected) rescue(last)
  else if (!canFocus(last)) {
    if (dialog === null) isWaiting = true
    else dialog.focus({ preventScroll: true })
  } else if (isWaiting || dialog !== null) last.focus({ preventScroll: true })
  else current = undefined
}

function rescue(lost: HTMLElement): void {
  const dialog = [...document.querySelectorAll<HTMLElement>('[role=dialog]')].at(-1)
  if (dialog !== undefined) dialog.focus({ preventScroll: true })
  else if (lost.closest(OVERLAY) !== null) returnFocus()
  else focusHeading()
}

/**
 * Gives the focus back to what opened a dialog, or to the heading of the screen where that is gone. Leaves it
 * where it is if it went elsewhere meanwhile. `before`: what had the focus when it opened; in another dialog, it gets
 * it back.
 */
export function returnFocus(before: Element | null = null): void {
  if (
    before instanceof HTMLElement &&
    before.closest('[role=dialog]') !== null &&
    canFocus(before)
  ) {
    before.focus({ preventScroll: true })
    return
  }
  if (!isLost() && document.activeElement?.closest(OVERLAY) === null) return
  if (opener !== undefined && canFocus(opener)) opener.focus({ preventScroll: true })
  else focusHeading()
}

/** Gives the focus to the heading of the screen. */
function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('h1') ?? document.getElementById('content')
  heading?.focus({ preventScroll: true })
}

/** Once what is wrong with a form is shown, the first such field takes the focus. */
export function focusFirstFault(form: HTMLElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}

function isLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}

function canFocus(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled') && element.checkVisibility()
}
