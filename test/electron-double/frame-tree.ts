import type { DevToolsSession } from './devtools.ts'
import { type Deliver, Frame } from './frame.ts'
import { fromChromium } from './protocol.ts'

/** Called for a frame's navigation; `event` is Electron's name for it. */
type Listener = (
  event: 'did-start-navigation' | 'did-navigate' | 'did-navigate-in-page',
  frame: Frame | undefined,
  url: string,
  isSameDocument: boolean,
) => void

/** The frames of a page, by Chromium's ids. The main frame stays the same object throughout. */
export class FrameTree {
  readonly main: Frame
  private readonly frames = new Map<string, Frame>()
  private readonly deliver: (frameId: string | undefined, ...event: Parameters<Deliver>) => void
  private mainId: string | undefined
  private lastId = 0

  /** @param deliver Delivers to the preload script of a frame. */
  constructor(deliver: FrameTree['deliver']) {
    this.deliver = deliver
    this.main = this.create(undefined, null)
  }

  get(frameId: string): Frame | undefined {
    return this.frames.get(frameId)
  }

  follow(devTools: DevToolsSession, mainId: string, tell: Listener): void {
    this.mainId = mainId
    this.frames.set(mainId, this.main)
    devTools.on('Page.frameAttached', ({ frameId, parentFrameId }) => {
      this.frames.set(frameId, this.create(frameId, this.frames.get(parentFrameId) ?? this.main))
    })
    devTools.on('Page.frameStartedNavigating', ({ frameId, url, navigationType }) => {
      const isSameDocument = navigationType === 'sameDocument'
      tell('did-start-navigation', this.frames.get(frameId), fromChromium(url), isSameDocument)
    })
    devTools.on('Page.frameNavigated', ({ frame: { id, url, name } }) => {
      const frame = this.frames.get(id)
      if (frame === undefined) return
      Object.assign(frame, { url: fromChromium(url), name: name ?? '' })
      frame.documents += 1
      tell('did-navigate', frame, frame.url, false)
    })
    devTools.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      const frame = this.frames.get(frameId)
      if (frame === undefined) return
      frame.url = fromChromium(url)
      tell('did-navigate-in-page', frame, frame.url, true)
    })
    devTools.on('Page.frameDetached', ({ frameId }) => {
      const frame = this.frames.get(frameId)
      frame?.detach()
      this.frames.delete(frameId)
    })
  }

  private create(token: string | undefined, parent: Frame | null): Frame {
    this.lastId += 1
    return new Frame(token ?? '', parent, this.lastId, (...event) =>
      this.deliver(token ?? this.mainId, ...event),
    )
  }
}
