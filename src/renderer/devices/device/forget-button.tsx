import { Button } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { DevicePlace } from '../../../shared/console/devices.ts'
import { serverClient } from '../../bridge/clients.ts'
import { useChange } from '../../components/change/use-change.ts'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog.tsx'
import { paths } from '../../paths.ts'
import { deviceText as text } from '../strings.ts'

/** Forgets the device after a confirmation that lists what is deleted. */
export function ForgetButton({ app, deviceId }: DevicePlace) {
  const [opened, setOpened] = useState(false)
  const navigate = useNavigate()
  const forget = useChange(serverClient.devices.forget.mutate, {
    done: () => text.forgotten(deviceId),
    failed: () => text.notForgotten(deviceId),
    onAnswer: () => void navigate(paths.devices({ app })),
  })
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpened(true)}>
        {text.forget}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={text.forget}
        action={text.forget}
        change={forget}
        onConfirm={() => forget.send({ app, deviceId })}
      >
        {text.forgetQuestion(deviceId)}
      </ConfirmDialog>
    </>
  )
}
