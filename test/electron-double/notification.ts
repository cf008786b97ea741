import { setImmediate as nextTurn } from 'node:timers/promises'
import { recorded } from './recorded.ts'
import { StandIn } from './stand-in.ts'

/** Recorded. Electron keeps only a weak reference: if the app keeps none, it receives no click. */
export class Notification extends StandIn {
  title: string
  body: string

  constructor({ title = '', body = '' }: { title?: string; body?: string } = {}) {
    super()
    this.title = title
    this.body = body
  }
  static isSupported = () => true
  show(): void {
    const { title, body } = this
    const shown = new WeakRef(this)
    recorded.notifications.push({ title, body, click: () => click(shown) })
    this.emit('show', {})
  }
  close(): void {
    this.emit('close', {})
  }
}

async function click(shown: WeakRef<Notification>): Promise<void> {
  // A weak reference that was read is kept alive until the turn ends.
  await nextTurn()
  globalThis.gc?.()
  await nextTurn()
  shown.deref()?.emit('click', {})
}
