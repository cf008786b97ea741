import { useState } from 'react'
import { Dialog } from '../components/dialog/dialog.tsx'
import { StayGuard } from '../components/dialog/leave-guard.tsx'
import { ShownSecret } from '../components/dialog/shown-secret.tsx'
import { MintForm } from './mint-form.tsx'
import { text } from './strings.ts'

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
}

/** Creates a key and shows it once. The screen cannot be left between the two, nor before the key was copied. */
export function MintDialog({ opened, onClose }: Props) {
  const [secret, setSecret] = useState<string>()
  const close = () => {
    onClose()
    setSecret(undefined)
  }
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={secret === undefined ? text.form.title : text.secret.title}
      closable={secret === undefined}
      size="lg"
    >
      {secret === undefined ? (
        <MintForm onMinted={setSecret} />
      ) : (
        <>
          <StayGuard refusal={text.secret.stay} />
          <ShownSecret secret={secret} words={text.secret} onClose={close} />
        </>
      )}
    </Dialog>
  )
}
