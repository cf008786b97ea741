import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { NEW } from '../../paths.ts'

/**
 * Holds whether the dialog is open that adds something to a list. An address with `NEW` opens it and is then
 * without: no link and no way back may close a dialog that is sending, or that shows a secret.
 */
export function useNewDialog(): [opened: boolean, setOpened: (opened: boolean) => void] {
  const [params, setParams] = useSearchParams()
  const [opened, setOpened] = useState(false)
  const isAsked = params.has(NEW)
  useEffect(() => {
    if (!isAsked) return
    setOpened(true)
    const without = (before: URLSearchParams) => {
      const next = new URLSearchParams(before)
      next.delete(NEW)
      return next
    }
    setParams(without, { replace: true })
  }, [isAsked, setParams])
  return [opened, setOpened]
}
