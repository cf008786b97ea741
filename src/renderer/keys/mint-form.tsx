import { Checkbox, Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Scope } from '../../shared/key.ts'
import { MAX_DISPLAY_NAME } from '../../shared/names.ts'
import { server, serverClient } from '../bridge/clients.ts'
import { DialogForm } from '../components/dialog-form.tsx'
import { StayGuard } from '../components/leave-guard.tsx'
import { useChange } from '../components/use-change.ts'
import { SCOPE_WORDS } from './strings.ts'

interface Props {
  readonly onMinted: (secret: string) => void
}

/** Asks what a key is for. Nothing is allowed that was not chosen. */
export function MintForm({ onMinted }: Props) {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>([])
  const [app, setApp] = useState<string | null>(null)
  const apps = useQuery(server.apps.list.queryOptions())
  const mint = useChange(serverClient.keys.mint.mutate, {
    // The dialog shows it: an announcement would be one more thing to read beside the key.
    done: () => undefined,
    failed: (key) => `Key ${key.name} was not created`,
    onAnswer: ({ secret }) => onMinted(secret),
  })
  const isNamed = name.trim() !== ''
  return (
    <DialogForm
      action="Create key"
      change={mint}
      valid={isNamed && scopes.length > 0}
      onSubmit={() => mint.send({ name: name.trim(), scopes: [...scopes], app })}
    >
      {(tried) => (
        <>
          <StayGuard refusal={mint.isPending ? 'The key is being created.' : undefined} />
          <TextInput
            label="Name"
            description="Says later what used it, in the list and in the audit log."
            required
            maxLength={MAX_DISPLAY_NAME}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={tried && !isNamed && 'Required'}
            data-autofocus
          />
          <Checkbox.Group
            label="What it may do"
            value={[...scopes]}
            onChange={(chosen) => setScopes(Scope.options.filter((each) => chosen.includes(each)))}
            error={tried && scopes.length === 0 && 'Choose at least one scope'}
          >
            <Stack gap="xs" mt="xs">
              {Scope.options.map((scope) => (
                <Checkbox
                  key={scope}
                  value={scope}
                  label={SCOPE_WORDS[scope].name}
                  description={SCOPE_WORDS[scope].meaning}
                  aria-invalid={tried && scopes.length === 0}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <Select
            label="App"
            description="A key for one app sees and changes that app alone."
            placeholder="All apps"
            data={(apps.data ?? []).map((each) => ({ value: each.ref, label: each.name }))}
            value={app}
            onChange={setApp}
            clearable
            clearButtonProps={{ 'aria-label': 'Allow all apps' }}
          />
        </>
      )}
    </DialogForm>
  )
}
