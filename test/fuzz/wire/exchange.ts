import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RawConnection } from '../generate/raw-connections.ts'

export interface Exchanged {
  /** All that the server sent; a character is a byte. */
  readonly received: string
  /** False if the server neither closed the connection nor broke it in time. */
  readonly closed: boolean
}

/**
 * Sends pieces over a connection of their own, and reads until the server closes it: for `patience`
 * milliseconds, after which a connection counts as forgotten.
 */
export function exchange(
  port: number,
  { pieces, pause, end }: Pick<RawConnection, 'pieces' | 'pause' | 'end'>,
  patience: number,
): Promise<Exchanged> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const received: string[] = []
    let timer: NodeJS.Timeout | undefined
    const finish = (closed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ received: received.join(''), closed })
    }
    socket.setEncoding('latin1').on('data', (chunk: string) => received.push(chunk))
    // The server may close and go before it has read all: what it sent is there nevertheless.
    socket.on('error', () => {})
    socket.on('end', () => finish(true)).on('close', () => finish(true))
    timer = setTimeout(() => finish(false), patience)
    socket.on('connect', async () => {
      for (const piece of pieces) {
        if (socket.writable) socket.write(piece, 'latin1')
        await sleep(pause)
      }
      if (end === 'half-close') socket.end()
      if (end === 'reset') socket.resetAndDestroy()
    })
  })
}
