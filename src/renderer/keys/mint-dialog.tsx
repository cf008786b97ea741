import { Modal } from '@mantine/core'
import { useState } from 'react'
import { MintForm } from './mint-form.tsx'
import { MintedSecret } from './minted-secret.tsx'

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
}

/** Creates a key and shows it once. */
export function MintDialog({ opened, onClose }: Props) {
  const [secret, setSecret] = useState<string>()
  const close = () => {
    onClose()
    setSecret(undefined)
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={secret === undefined ? 'Create an API key' : 'Copy the key now'}
      // A click beside the dialog must not lose a key that is shown once.
      closeOnClickOutside={secret === undefined}
      closeOnEscape={secret === undefined}
      withCloseButton={secret === undefined}
      size="lg"
      centered
    >
      {secret === undefined ? (
        <MintForm onMinted={setSecret} onCancel={close} />
      ) : (
        <MintedSecret secret={secret} onClose={close} />
      )}
    </Modal>
  )
}
