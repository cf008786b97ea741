import { request } from 'node:https'

/** Asks a server for its health over TLS, whatever its certificate; answers the status, undefined if there is none. */
export function secureStatus(at: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const url = `${at.replace('http:', 'https:')}/healthz`
    const asked = request(url, { rejectUnauthorized: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    asked.on('error', () => resolve(undefined))
    asked.end()
  })
}
