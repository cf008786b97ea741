import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import type { LastRestore } from '../../../shared/console/backups.ts'
import { Restored } from './restored.tsx'
import { restoreProblemText, text } from './strings.ts'

/** Under which the browser keeps which restore was dismissed. */
const DISMISSED = 'tidegate.dismissed-restore'

/** How the last restore of the server went, until it is dismissed in this browser. */
export function LastRestoreNotice({ last }: { readonly last: LastRestore }) {
  const [dismissed, setDismissed] = useState(() => localStorage.getItem(DISMISSED))
  if (dismissed === last.at) return null
  const dismiss = () => {
    localStorage.setItem(DISMISSED, last.at)
    setDismissed(last.at)
  }
  const { outcome } = last
  if (outcome.ok) return <Restored outcome={outcome} onClose={dismiss} />
  return (
    <Alert
      role="alert"
      variant="light"
      color="red"
      icon={<IconAlertTriangle aria-hidden="true" />}
      title={text.notRestored}
      withCloseButton
      closeButtonLabel={text.dismiss}
      onClose={dismiss}
      style={{ overflowWrap: 'anywhere' }}
    >
      {restoreProblemText(outcome.problem)} {text.previousInUse}
    </Alert>
  )
}
