import type { MessagePortMain } from './message-port.ts'
import { originOf } from './protocol.ts'
import { StandIn } from './stand-in.ts'

/** Delivers an event to the preload script of a frame. */
export type Deliver = (channel: string, args: unknown[], ports: readonly MessagePortMain[]) => void

/** Electron's WebFrameMain, with the information that Chromium gives about a frame. */
export class Frame extends StandIn {
  readonly frameToken: string
  readonly processId = 1
  readonly routingId: number
  readonly frameTreeNodeId: number
  readonly parent: Frame | null
  readonly frames: Frame[] = []
  private readonly deliver: Deliver
  url = ''
  name = ''
  detached = false
  /** Not Electron's: the number of documents so far. */
  documents = 0

  constructor(token: string, parent: Frame | null, id: number, deliver: Deliver) {
    super()
    this.frameToken = token
    this.parent = parent
    this.routingId = id
    this.frameTreeNodeId = id
    this.deliver = deliver
    parent?.frames.push(this)
  }

  send(channel: string, ...args: unknown[]): void {
    this.deliver(channel, args, [])
  }

  postMessage(channel: string, message: unknown, transfer: readonly MessagePortMain[] = []): void {
    this.deliver(channel, [message], transfer)
  }

  /** A frame without its own document has the origin of the one that created it. */
  get origin(): string {
    const isEmpty = ['', 'about:blank', 'about:srcdoc'].includes(this.url)
    return isEmpty && this.parent !== null ? this.parent.origin : originOf(this.url)
  }

  get top(): Frame | null {
    return this.parent === null ? this : this.parent.top
  }

  get framesInSubtree(): Frame[] {
    return [this, ...this.frames.flatMap((frame) => frame.framesInSubtree)]
  }

  /** Not Electron's: called when the frame was removed from the page. */
  detach(): void {
    this.detached = true
    this.parent?.frames.splice(this.parent.frames.indexOf(this), 1)
  }

  isDestroyed(): boolean {
    return this.detached
  }
}
