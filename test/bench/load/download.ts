import { connect } from 'node:net'

/** Where a file is, and how large it is. */
export interface Download {
  readonly port: number
  readonly path: string
  /** Bytes of its body. */
  readonly size: number
}

const BUFFER = Buffer.allocUnsafeSlow(1_024 * 1_024)
const HEAD_END = '\r\n\r\n'

/** Downloads a file over a connection of its own, and keeps nothing of it. Returns the seconds that it took. */
export function download({ port, path, size }: Download): Promise<number> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    let head = ''
    let expected = Number.POSITIVE_INFINITY
    let received = 0
    const take = (bytes: number, buffer: Uint8Array) => {
      received += bytes
      if (expected !== Number.POSITIVE_INFINITY) return
      head += Buffer.from(buffer.buffer, buffer.byteOffset, bytes).toString('latin1')
      const end = head.indexOf(HEAD_END)
      if (end === -1) return
      if (!head.startsWith('HTTP/1.1 200')) socket.destroy(new Error(head.slice(0, end)))
      expected = end + HEAD_END.length + size
    }
    const onread = {
      buffer: BUFFER,
      callback: (bytes: number, buffer: Uint8Array) => {
        take(bytes, buffer)
        if (received >= expected) socket.end()
        return true
      },
    }
    const socket = connect({ port, host: '127.0.0.1', onread }, () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
    })
    socket.once('error', reject)
    socket.once('close', () => {
      if (received === expected) resolve((performance.now() - began) / 1_000)
      else reject(new Error(`${received} bytes came instead of ${expected}`))
    })
  })
}
