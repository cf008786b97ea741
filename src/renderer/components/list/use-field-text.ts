import { useEffect, useRef, useState } from 'react'

/**
 * The text of a field whose value is kept elsewhere and comes back late. What is typed meanwhile stays; a value
 * that somebody else puts there replaces the text.
 */
export function useFieldText(value: string): {
  readonly text: string
  readonly setText: (text: string) => void
  /** To be called with every text that is handed on. */
  readonly handOn: (text: string) => void
} {
  const [text, setText] = useState(value)
  const [echoes] = useState(() => new Echoes())
  const known = useRef(value)
  useEffect(() => {
    if (value === known.current) return
    known.current = value
    if (!echoes.receive(value)) setText(value)
  }, [value, echoes])
  return { text, setText, handOn: (sent) => echoes.send(sent) }
}

/**
 * Tells a value that comes back late from whoever keeps it, such as the address of the screen, from one that
 * somebody else put there. The former is older than what was typed since.
 */
export class Echoes {
  #sent: string[] = []

  /** Notes a value that is handed on. */
  send(value: string): void {
    this.#sent.push(value)
  }

  /** Takes a value that came, and tells whether it is an own one. Values that were passed over are forgotten. */
  receive(value: string): boolean {
    const index = this.#sent.lastIndexOf(value)
    this.#sent = index === -1 ? [] : this.#sent.slice(index + 1)
    return index !== -1
  }

  /** Whether a value is still on its way. */
  get isWaiting(): boolean {
    return this.#sent.length > 0
  }
}
