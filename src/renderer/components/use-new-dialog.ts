import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { NEW } from '../paths.ts'

/** Keeps in the address whether the dialog is open that adds something to a list, so that links can open it. */
export function useNewDialog(): [opened: boolean, setOpened: (opened: boolean) => void] {
  const [params, setParams] = useSearchParams()
  const setOpened = useCallback(
    (opened: boolean) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before)
          if (opened) next.set(NEW, '')
          else next.delete(NEW)
          return next
        },
        { replace: true },
      ),
    [setParams],
  )
  return [params.has(NEW), setOpened]
}
