import { originOf } from './protocol.ts'
import { StandIn } from './stand-in.ts'

/** Electron's WebFrameMain, as far as Chromium tells of a frame. */
export class Frame extends StandIn {
  readonly frameToken: string
  readonly processId = 1
  readonly routingId: number
  readonly frameTreeNodeId: number
  readonly parent: Frame | null
  readonly frames: Frame[] = []
  readonly send: (channel: string, ...args: unknown[]) => void
  url = ''
  name = ''
  detached = false
  /** Not Electron's: how many documents it has had. */
  documents = 0

  /** @param send Delivers to the preload script of this frame. */
  constructor(token: string, parent: Frame | null, id: number, send: Frame['send']) {
    super()
    this.frameToken = token
    this.parent = parent
    this.routingId = id
    this.frameTreeNodeId = id
    this.send = send
    parent?.frames.push(this)
  }

  /** A frame without a document of its own has the origin of the one that made it. */
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

  /** Not Electron's: the frame is gone from the page. */
  detach(): void {
    this.detached = true
    this.parent?.frames.splice(this.parent.frames.indexOf(this), 1)
  }

  isDestroyed(): boolean {
    return this.detached
  }
}
