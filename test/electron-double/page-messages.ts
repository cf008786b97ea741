import { z } from 'zod'
import type { Codec } from './codec.ts'
import type { Frame } from './frame.ts'
import type { IpcEvent } from './ipc-main.ts'
import { ipcMain } from './ipc-main.ts'
import type { WebContents } from './web-contents.ts'

const Message = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('invoke'),
    id: z.number(),
    channel: z.string(),
    args: z.array(z.unknown()),
  }),
  z.object({ kind: z.literal('open'), url: z.string() }),
  z.object({ kind: z.literal('send'), channel: z.string(), args: z.array(z.unknown()) }),
])

/** What preload scripts send, given to ipcMain and answered. */
export class PageMessages {
  private readonly sender: WebContents
  private readonly codec: Codec
  private readonly deliver: (frameId: string, text: string) => void

  constructor(sender: WebContents, codec: Codec, deliver: PageMessages['deliver']) {
    this.sender = sender
    this.codec = codec
    this.deliver = deliver
  }

  take(text: string, senderFrame: Frame | null, frameId: string): void {
    const message = Message.parse(this.codec.decode(text))
    if (message.kind === 'open') {
      this.sender.refuseWindow(message.url)
      return
    }
    const documents = senderFrame?.documents
    const event: IpcEvent = {
      type: 'frame',
      sender: this.sender,
      /** Null once the frame has gone, or shows another document. */
      get senderFrame() {
        const isThere = senderFrame?.detached === false && senderFrame.documents === documents
        return isThere ? senderFrame : null
      },
      processId: senderFrame?.processId ?? 0,
      frameId: senderFrame?.routingId ?? 0,
      reply: (channel, ...args) => senderFrame?.send(channel, ...args),
    }
    if (message.kind === 'send') ipcMain.emit(message.channel, event, ...message.args)
    else void this.answer(message.id, message.channel, event, message.args, frameId)
  }

  private async answer(
    id: number,
    channel: string,
    event: IpcEvent,
    args: readonly unknown[],
    frameId: string,
  ): Promise<void> {
    const reply = await ipcMain
      .invoke(channel, event, args)
      .then((value) => this.codec.encode({ kind: 'reply', id, ok: true, value }))
      .catch((error) => {
        const message = `Error invoking remote method '${channel}': ${error}`
        return this.codec.encode({ kind: 'reply', id, ok: false, message })
      })
    this.deliver(frameId, reply)
  }
}
