import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RawConnection } from '../generate/raw-connections.ts'

export interface Exchanged {
  /** Everything that the server sent; each character is one byte. */
  readonly received: string
  /** False if the server neither closed nor reset the connection in time. */
  readonly closed: boolean
}

/**
 * Sends pieces over a new connection, and reads until the server closes it, for at most `patience`
 * milliseconds.
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
    // The server may close the connection before it has read everything. Its response is complete nevertheless.
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
