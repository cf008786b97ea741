import type { Codec } from './codec.ts'
import type { Crossing, Events } from './worlds.ts'

/** The environment of a sandboxed preload script. */
interface PreloadScope {
  readonly require: (module: string) => unknown
  readonly process: object
}

type Listener = (event: object, ...args: unknown[]) => void

interface Call {
  readonly id: string
  readonly target: string
  readonly args: readonly Crossing[]
}

/**
 * `ipcRenderer` and `contextBridge`. Runs in the page's isolated world, as source text: it must not refer to
 * anything outside itself.
 * @param send Sends a text to main.
 * @param setDeliver Receives the function that main calls with a text.
 */
export function isolatedWorld(
  codec: Codec,
  events: Events,
  send: (text: string) => void,
  setDeliver: (deliver: (text: string) => void) => void,
): PreloadScope {
  let lastId = 0
  const functions = new Map<string, (...args: unknown[]) => unknown>()
  const invocations = new Map<number, (reply: ReturnType<typeof JSON.parse>) => void>()
  const listeners = new Map<string, Listener[]>()
  const relays = new Map<number, { post(data: unknown): void; close(): void }>()
  const fire = (name: string, detail: unknown) =>
    document.dispatchEvent(new CustomEvent(name, { detail }))
  const nextId = () => {
    lastId += 1
    return lastId
  }

  const hand = (value: unknown): Crossing => {
    if (typeof value === 'function') {
      const id = `function-${nextId()}`
      functions.set(id, (...args) => value(...args))
      return { kind: 'function', id }
    }
    if (value instanceof Promise) {
      const id = `promise-${nextId()}`
      value.then(
        (result) => fire(events.settle + id, { ok: true, value: result }),
        (error) => fire(events.settle + id, { ok: false, value: String(error?.message ?? error) }),
      )
      return { kind: 'promise', id }
    }
    if (value === null || typeof value !== 'object') return { kind: 'value', value }
    if (Object.getPrototypeOf(value) !== Object.prototype) return { kind: 'value', value }
    const members = Object.entries(value).map(([key, member]) => [key, hand(member)])
    return { kind: 'members', members: Object.fromEntries(members) }
  }

  const receive = (crossing: Crossing): unknown => {
    if (crossing.kind === 'value') return crossing.value
    if (crossing.kind !== 'function') throw new Error('An object could not be cloned.')
    const { id } = crossing
    return (...args: unknown[]) => {
      fire(events.callback, { id, args })
    }
  }

  const answer = ({ target, args }: Call): Crossing => {
    try {
      return hand(functions.get(target)?.(...args.map(receive)))
    } catch (error) {
      return { kind: 'error', message: error instanceof Error ? error.message : String(error) }
    }
  }
  document.addEventListener(events.call, (event) => {
    if (event instanceof CustomEvent) fire(events.answer + event.detail.id, answer(event.detail))
  })

  document.addEventListener(events.open, (event) => {
    if (event instanceof CustomEvent) send(codec.encode({ kind: 'open', url: event.detail }))
  })

  /** A real port of this page. Its other end sends to and receives from main. */
  const accept = (id: number): MessagePort => {
    const { port1, port2 } = new MessageChannel()
    const close = port1.close.bind(port1)
    const relay = (data: unknown, closed: boolean) =>
      send(codec.encode({ kind: 'relayed', relayed: { port: id, data, closed } }))
    // Chromium does not report closed ports. Electron adds an event for the other end.
    port1.close = () => {
      close()
      if (relays.delete(id)) relay(undefined, true)
    }
    port2.onmessage = ({ data }) => relay(data, false)
    relays.set(id, {
      post: (data) => port2.postMessage(data),
      close() {
        relays.delete(id)
        // After the messages that are in transit.
        const later = new MessageChannel()
        later.port1.onmessage = () => port1.dispatchEvent(new Event('close'))
        later.port2.postMessage(null)
      },
    })
    return port1
  }

  setDeliver((text) => {
    const message: ReturnType<typeof JSON.parse> = codec.decode(text)
    if (message.kind === 'reply') {
      invocations.get(message.id)?.(message)
      invocations.delete(message.id)
      return
    }
    if (message.kind === 'relayed') {
      const relay = relays.get(message.relayed.port)
      if (message.relayed.closed) relay?.close()
      else relay?.post(message.relayed.data)
      return
    }
    const event = { sender: ipcRenderer, senderId: 0, ports: message.ports.map(accept) }
    for (const listener of [...(listeners.get(message.channel) ?? [])]) {
      listener(event, ...message.args)
    }
  })

  const ipcRenderer = {
    invoke: (channel: string, ...args: unknown[]) =>
      new Promise((resolve, reject) => {
        const id = nextId()
        send(codec.encode({ kind: 'invoke', id, channel, args }))
        invocations.set(id, ({ ok, value, message }) =>
          ok ? resolve(value) : reject(new Error(message)),
        )
      }),
    send: (channel: string, ...args: unknown[]) =>
      send(codec.encode({ kind: 'send', channel, args })),
    on: (channel: string, listener: Listener) => {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
      return ipcRenderer
    },
    off: (channel: string, listener: Listener) => {
      const others = (listeners.get(channel) ?? []).filter((other) => other !== listener)
      listeners.set(channel, others)
      return ipcRenderer
    },
    removeListener: (channel: string, listener: Listener) => ipcRenderer.off(channel, listener),
  }
  const contextBridge = {
    exposeInMainWorld: (key: string, api: unknown) => fire(events.expose, { key, api: hand(api) }),
  }
  return {
    require: (module) => {
      if (module === 'electron' || module === 'electron/renderer') {
        return { ipcRenderer, contextBridge }
      }
      throw new Error(`module not found: ${module}`)
    },
    process: {
      platform: 'linux',
      type: 'renderer',
      sandboxed: true,
      contextIsolated: true,
      versions: {},
      env: {},
    },
  }
}
