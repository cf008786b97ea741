import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron'
import type { Bridge, CallError, SubscriptionEvent } from '../shared/console/bridge.ts'

type Listener = (event: SubscriptionEvent) => void

const REFUSED: CallError = { code: 'internal', message: 'The request could not be passed on.' }

const listeners = new Map<number, Listener>()
/** Events that came ahead of the answer that names their subscription. */
const early = new Map<number, SubscriptionEvent[]>()
let asking = 0

ipcRenderer.on('tidegate:event', (_: IpcRendererEvent, id: number, event: SubscriptionEvent) => {
  const listener = listeners.get(id)
  if (listener !== undefined) listener(event)
  else if (asking > 0) early.set(id, [...(early.get(id) ?? []), event])
})

const bridge: Bridge = {
  call: (request) =>
    ipcRenderer.invoke('tidegate:call', request).catch(() => ({ ok: false, error: REFUSED })),
  subscribe(request, listener) {
    let id: number | undefined
    let ended = false
    const begin = (answer: number) => {
      id = answer
      if (ended) ipcRenderer.send('tidegate:unsubscribe', id)
      else listeners.set(id, listener)
      for (const event of early.get(id) ?? []) if (!ended) listener(event)
      early.delete(id)
    }
    asking++
    ipcRenderer
      .invoke('tidegate:subscribe', request)
      .then(begin, () => listener({ type: 'error', error: REFUSED }))
      .finally(() => {
        asking--
        if (asking === 0) early.clear()
      })
    return () => {
      if (ended) return
      ended = true
      if (id === undefined) return
      listeners.delete(id)
      ipcRenderer.send('tidegate:unsubscribe', id)
    }
  },
}

contextBridge.exposeInMainWorld('tidegate', bridge)
