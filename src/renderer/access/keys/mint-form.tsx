import { Checkbox, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mixesWall, Scope } from '../../../shared/access/key.ts'
import { useAccess } from '../../bridge/access.ts'
import { server, serverClient } from '../../bridge/clients.ts'
import { useIsOwnServer, useRemoteServer } from '../../bridge/servers.tsx'
import { useChange } from '../../components/change/use-change.ts'
import type { DialogProps } from '../../components/dialog/dialog.tsx'
import { DialogForm } from '../../components/dialog/dialog-form.tsx'
import { StayGuard } from '../../components/dialog/leave-guard.tsx'
import { SecretDialog } from '../../components/dialog/shown-once.tsx'
import { appChoices, SearchableSelect } from '../../components/list/searchable-select.tsx'
import { NameField } from '../../components/text-fields.tsx'
import { SCOPE_WORDS, text } from './strings.ts'

/** Creates a key and shows it once. The screen cannot be left between the two. */
export function MintDialog(props: DialogProps) {
  const [isWall, setWall] = useState(false)
  const remote = useRemoteServer()
  const page = remote === undefined ? document.baseURI : `${remote.address}/console/`
  const minted = (secret: string, scopes: readonly Scope[]) => {
    setWall(scopes.includes('wall'))
    return scopes.includes('wall') ? new URL(`#/wall/${secret}`, page).href : secret
  }
  return (
    <SecretDialog
      {...props}
      title={text.form.title}
      words={isWall ? text.wall : text.secret}
      form={(onMade) => <MintForm onMinted={(...made) => onMade(minted(...made))} />}
    />
  )
}

interface MintProps {
  readonly onMinted: (secret: string, scopes: readonly Scope[]) => void
}

/** Asks what a key is for. Nothing is allowed that was not chosen. */
function MintForm({ onMinted }: MintProps) {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>([])
  const [isBypass, setBypass] = useState(false)
  const [app, setApp] = useState('')
  const apps = useQuery(server.apps.names.queryOptions())
  const { may } = useAccess()
  // The desktop app's own server has no page for browsers.
  const isOwn = useIsOwnServer()
  const offered = Scope.options.filter((scope) => scope !== 'wall' || !isOwn)
  const choices = (apps.data ?? []).filter(({ ref }) => may('release_manager', ref))
  // A key for all apps is for administrators of the server.
  const isAppNeeded = !may('administrator')
  const mint = useChange(serverClient.keys.mint.mutate, {
    failed: (key) => text.form.failed(key.name),
    onAnswer: ({ secret, key }) => onMinted(secret, key.scopes),
  })
  const mayBypass = may('administrator', app || undefined)
  const isNamed = name.trim() !== ''
  return (
    <DialogForm
      action={text.form.action}
      change={mint}
      valid={isNamed && scopes.length > 0 && (app !== '' || !isAppNeeded)}
      onSubmit={() =>
        mint.send({
          name: name.trim(),
          scopes: [...scopes],
          app: app || null,
          bypassApproval: mayBypass && isBypass,
        })
      }
    >
      {(tried) => (
        <>
          <StayGuard refusal={mint.isPending ? text.form.pending : undefined} />
          <NameField
            label={text.form.name}
            description={text.form.nameHint}
            value={name}
            onChange={setName}
            error={tried && !isNamed && text.form.required}
            data-autofocus
          />
          <Checkbox.Group
            label={text.form.scopes}
            value={[...scopes]}
            onChange={(chosen) => setScopes(chosenOf(chosen, scopes))}
            error={tried && scopes.length === 0 && text.form.noScope}
          >
            <Stack gap="xs" mt="xs">
              {offered.map((scope) => (
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
          <SearchableSelect
            label={text.form.app}
            description={text.form.appHint}
            placeholder={text.form.chooseApp}
            required={isAppNeeded}
            error={tried && isAppNeeded && app === '' && text.form.required}
            value={app}
            choices={[
              ...(isAppNeeded ? [] : [{ value: '', label: text.allApps }]),
              ...appChoices(choices),
            ]}
            onChange={setApp}
          />
          {mayBypass && (
            <Checkbox
              label={text.form.bypass}
              description={text.form.bypassHint}
              checked={isBypass}
              onChange={(event) => setBypass(event.currentTarget.checked)}
            />
          )}
        </>
      )}
    </DialogForm>
  )
}

/** The scope of the wall view is the only one of its key: it and the others replace each other. */
function chosenOf(chosen: readonly string[], before: readonly Scope[]): readonly Scope[] {
  const scopes = Scope.options.filter((each) => chosen.includes(each))
  if (!mixesWall(scopes)) return scopes
  return before.includes('wall')
    ? scopes.filter((each) => each !== 'wall')
    : scopes.filter((each) => each === 'wall')
}
