import type { IncomingMessage } from 'node:http'

const sockets = new WeakSet<object>()

/** Lets a request take as long as it goes on: the upload of a large file. Returns how to end that. */
export function allowLong({ socket }: Pick<IncomingMessage, 'socket'>): () => void {
  sockets.add(socket)
  return () => sockets.delete(socket)
}

/** Returns whether the request on a connection may take as long as it goes on. */
export function mayTakeLong(socket: object): boolean {
  return sockets.has(socket)
}
