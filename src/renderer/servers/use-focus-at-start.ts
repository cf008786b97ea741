import { type RefObject, useEffect, useRef } from 'react'

/**
 * Moves the focus to an element when its part of a dialog is shown: the button that led to it is gone, and the focus
 * would fall to the page.
 */
export function useFocusAtStart<Target extends HTMLElement>(): RefObject<Target | null> {
  const target = useRef<Target>(null)
  useEffect(() => target.current?.focus(), [])
  return target
}
