import { useEffect, useRef } from 'react'

/** The value, or the last one that there was: what a dialog is about while it fades out. */
export function useLast<Value>(value: Value | undefined): Value | undefined {
  const last = useRef(value)
  useEffect(() => {
    if (value !== undefined) last.current = value
  }, [value])
  return value ?? last.current
}
