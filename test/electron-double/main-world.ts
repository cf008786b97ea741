import type { Crossing, Events } from './worlds.ts'

/**
 * Defines on the page's window what the preload script exposes: functions that call the isolated world
 * synchronously, through events of the document. Runs in the page, as source text: it must not refer to
 * anything outside itself.
 */
export function mainWorld(events: Events): void {
  let lastId = 0
  const callbacks = new Map<string, (...args: unknown[]) => unknown>()
  const detailOf = (event: Event) => (event instanceof CustomEvent ? event.detail : undefined)

  const hand = (value: unknown): Crossing => {
    if (typeof value !== 'function') return { kind: 'value', value }
    lastId += 1
    const id = `callback-${lastId}`
    callbacks.set(id, (...args) => value(...args))
    return { kind: 'function', id }
  }

  const call = (target: string, args: unknown[]): unknown => {
    lastId += 1
    const id = `call-${lastId}`
    let answer: Crossing = { kind: 'error', message: 'the isolated world did not answer' }
    document.addEventListener(
      events.answer + id,
      (event) => {
        answer = detailOf(event)
      },
      { once: true },
    )
    const detail = { id, target, args: args.map(hand) }
    document.dispatchEvent(new CustomEvent(events.call, { detail }))
    return receive(answer)
  }

  const settled = (id: string) =>
    new Promise((resolve, reject) => {
      const settle = (event: Event) => {
        const { ok, value } = detailOf(event)
        if (ok) resolve(value)
        else reject(new Error(value))
      }
      document.addEventListener(events.settle + id, settle, { once: true })
    })

  const receive = (crossing: Crossing): unknown => {
    switch (crossing.kind) {
      case 'value':
        return crossing.value
      case 'error':
        throw new Error(crossing.message)
      case 'promise':
        return settled(crossing.id)
      case 'function':
        return (...args: unknown[]) => call(crossing.id, args)
      case 'members': {
        const members = Object.entries(crossing.members)
        return Object.freeze(Object.fromEntries(members.map(([key, item]) => [key, receive(item)])))
      }
    }
  }

  // Asks the app's handler for new windows. The double can only refuse them.
  window.open = (url = 'about:blank') => {
    const detail = new URL(url, document.baseURI).href
    document.dispatchEvent(new CustomEvent(events.open, { detail }))
    return null
  }
  document.addEventListener(events.callback, (event) => {
    const { id, args } = detailOf(event)
    callbacks.get(id)?.(...args)
  })
  document.addEventListener(events.expose, (event) => {
    const { key, api } = detailOf(event)
    Object.defineProperty(window, key, {
      value: receive(api),
      writable: false,
      configurable: false,
      enumerable: true,
    })
  })
}
