import { useEffect, useRef, useState } from 'react'
import { Echoes } from './echoes.ts'

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
