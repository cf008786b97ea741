interface Searched {
  readonly ref: string
  readonly name: string
  readonly channels: readonly { readonly name: string }[]
}

/** Returns the apps whose name, reference or channels (`editor/beta`) have a text as a part, in either case. */
export function findApps<App extends Searched>(
  apps: readonly App[],
  search: string,
): readonly App[] {
  const wanted = search.trim().toLowerCase()
  if (wanted === '') return apps
  return apps.filter(({ ref, name, channels }) =>
    [name, ref, ...channels.map((channel) => `${ref}/${channel.name}`)].some((part) =>
      part.toLowerCase().includes(wanted),
    ),
  )
}
