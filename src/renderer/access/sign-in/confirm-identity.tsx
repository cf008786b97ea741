import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import type { ConfirmationMethod } from '../../../shared/access/person.ts'
import { confirmWith } from '../../bridge/confirming-link.ts'

const ConfirmDialog = lazy(async () => ({
  default: (await import('./confirm-dialog.tsx')).ConfirmDialog,
}))

interface Question {
  readonly methods: readonly ConfirmationMethod[]
  readonly answer: (isConfirmed: boolean) => void
}

/** Asks the person to confirm that it is them, whenever a call needs it: see `confirmingLink`. Once, around the screens. */
export function ConfirmIdentity() {
  const [question, setQuestion] = useState<Question>()
  const open = useRef<Question>(undefined)
  const answer = useCallback((isConfirmed: boolean) => {
    open.current?.answer(isConfirmed)
    open.current = undefined
    setQuestion(undefined)
  }, [])
  useEffect(() => {
    const end = confirmWith((methods) => {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      open.current = { methods, answer: resolve }
      setQuestion(open.current)
      return promise
    })
    return () => {
      end()
      open.current?.answer(false)
    }
  }, [])
  if (question === undefined) return null
  // Made when it opens, so that it is above the dialog whose change waits for it.
  return (
    <Suspense>
      <ConfirmDialog
        methods={question.methods}
        onConfirmed={() => answer(true)}
        onClose={() => answer(false)}
      />
    </Suspense>
  )
}
