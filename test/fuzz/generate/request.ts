/** One HTTP request. All texts are as sent: each character is one byte. */
export interface FuzzRequest {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | null
}

/** Returns the bytes of text as a string with one character for each of them. */
export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** Returns a request as it is sent, with the length of its body. */
export function toWire({ method, target, headers, body }: FuzzRequest, close: boolean): string {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: fuzz.example',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : [`Content-Length: ${body.length}`]),
    ...(close ? ['Connection: close'] : []),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}
