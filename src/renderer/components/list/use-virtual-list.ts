import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefCallback, type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Up to this many items are all drawn. */
const FEW = 30

/** Items drawn before and after those that can be seen. */
const OVERSCAN = 6

interface Options {
  readonly count: number
  /** Height of an item in pixels, about. */
  readonly estimate: number
  /** Pixels between two items. */
  readonly gap?: number
  /** Returns what identifies an item while others come and go. */
  readonly keyOf: (index: number) => string
}

interface VirtualList<List extends HTMLElement> {
  readonly list: RefObject<List | null>
  /** Indexes of the items to draw. */
  readonly indexes: readonly number[]
  /** Pixels to leave empty before and after them. */
  readonly before: number
  readonly after: number
  /** To be given to every item as its `ref`, with the index as `data-index`. */
  readonly measure: RefCallback<HTMLElement>
}

/** Draws of a long list on the screen only the items that can be seen. */
export function useVirtualList<List extends HTMLElement>(options: Options): VirtualList<List> {
  const { count, estimate, gap = 0, keyOf } = options
  const list = useRef<List>(null)
  const [margin, setMargin] = useState(0)
  const isLong = count > FEW
  // What is above the list can grow at any time.
  useLayoutEffect(() => {
    const box = scrollBox()
    if (!isLong || box === null || list.current === null) return
    const top = list.current.getBoundingClientRect().top - box.getBoundingClientRect().top
    setMargin(Math.round(top + box.scrollTop))
  })
  const virtualizer = useVirtualizer({
    count,
    enabled: isLong,
    gap,
    overscan: OVERSCAN,
    scrollMargin: margin,
    getScrollElement: scrollBox,
    estimateSize: () => estimate,
    getItemKey: keyOf,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  })
  const { measureElement } = virtualizer
  if (!isLong) {
    const indexes = Array.from({ length: count }, (_, index) => index)
    return { list, indexes, before: 0, after: 0, measure: notMeasured }
  }
  const items = virtualizer.getVirtualItems()
  const first = items[0]
  const last = items.at(-1)
  return {
    list,
    indexes: items.map(({ index }) => index),
    before: first === undefined ? 0 : first.start - margin,
    after: last === undefined ? 0 : virtualizer.getTotalSize() - (last.end - margin),
    measure: measureElement,
  }
}

function notMeasured(): void {}

function scrollBox(): HTMLElement | null {
  return document.getElementById('content')
}
