import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** Longest time in milliseconds that a screen may take to become as long as it was. */
const PATIENCE = 5_000

/** Places in the history whose position is known; the oldest are forgotten first. */
const MOST_PLACES = 100

/** Pixels from the top, by place in the history. */
const positions = new Map<string, number>()

/**
 * Scrolls to the top when a screen is opened, and to where the person was when they go back to it. What replaces
 * the address of the same screen, such as a filter, does not scroll.
 */
export function useScrollMemory(element: RefObject<HTMLElement | null>): void {
  const { key, pathname, search } = useLocation()
  const type = useNavigationType()
  const place = `${key} ${pathname}${search}`
  const previous = useRef<string>(undefined)

  useLayoutEffect(() => {
    const box = element.current
    if (box === null) return
    const stays = type === 'REPLACE' && previous.current === pathname
    previous.current = pathname
    const wanted = type === 'POP' ? (positions.get(place) ?? 0) : 0
    const arrival = stays ? undefined : new Arrival(box, wanted)
    const remember = () => {
      if (arrival?.isUnderWay !== true) keep(place, box.scrollTop)
    }
    box.addEventListener('scroll', remember)
    return () => {
      box.removeEventListener('scroll', remember)
      arrival?.end()
    }
  }, [element, place, pathname, type])
}

function keep(place: string, top: number): void {
  positions.delete(place)
  positions.set(place, top)
  const [oldest] = positions.keys()
  if (positions.size > MOST_PLACES && oldest !== undefined) positions.delete(oldest)
}

/** What the person does to scroll by themselves. */
const OWN_WAYS = ['wheel', 'pointerdown', 'keydown'] as const

/** Scrolls to a position that may be there only once the screen has loaded; gives way to the person. */
class Arrival {
  isUnderWay = true
  readonly #box: HTMLElement
  readonly #top: number
  readonly #grown = new ResizeObserver(() => this.#scroll())
  readonly #timer = setTimeout(() => this.end(), PATIENCE)
  readonly #giveWay = () => this.end()

  constructor(box: HTMLElement, top: number) {
    this.#box = box
    this.#top = top
    for (const way of OWN_WAYS) window.addEventListener(way, this.#giveWay, { capture: true })
    if (box.firstElementChild !== null) this.#grown.observe(box.firstElementChild)
    this.#scroll()
  }

  end(): void {
    this.isUnderWay = false
    clearTimeout(this.#timer)
    this.#grown.disconnect()
    for (const way of OWN_WAYS) window.removeEventListener(way, this.#giveWay, { capture: true })
  }

  #scroll(): void {
    this.#box.scrollTop = this.#top
    // A pixel less: zoomed screens round.
    if (this.#box.scrollTop >= this.#top - 1) this.end()
  }
}
