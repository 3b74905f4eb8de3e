// What the scripts of the pages share, beside the documents of the API and the elements of the templates.

/** An action to send, as the API takes it, but for its key and its ply. */
interface Action {
  action: string;
  move?: string;
  offer?: string;
  want?: string;
}
type Act = (action: Action) => void;
type Play = (move: string) => void;

/** A move that can be chosen; a candidate is always legal, and does not say what it changes. */
type Choice = Pick<Api.Choice, "move" | "label" | "button"> & Partial<Api.Choice>;
/** What is known about a move. */
type Told = Partial<Omit<Api.MoveAdvice, "move">> & { mark?: string };
/** A position, without its moves. */
type Shown = Omit<Api.Asked, "moves">;

/** The button of a move, and what it does. */
type MoveButton = HTMLElement & { choice: Choice; play: Play; look: (choice: Choice | null | undefined) => void };
/** A position of a puzzle. */
type Here = Api.Asked & { over?: boolean };
/** How the moves of a position are drawn. */
interface MovesHow {
  play: Play;
  told: Map<string, Told>;
  off?: boolean;
  key?: string;
  look?: (choice: Choice | null | undefined) => void;
  sent?: string | null;
  seat?: number | null;
  why?: (choice: Choice) => string;
}

type Place = [row: number, column: number];
/** How a board is drawn: see `drawBoard`. */
interface BoardHow {
  play?: Play | null;
  off?: boolean;
  moves?: Choice[];
  told?: Map<string, Told>;
  look?: (move: string | null) => void;
  redraw?: () => void;
  before?: Api.Cell[][];
  sent?: string | null;
  seat?: number | null;
}
/** A board on the page. */
interface ShownBoard extends BoardHow {
  grid: HTMLElement;
  line: HTMLElement;
  stop: Place;
  told: Map<string, Told>;
  known: Map<string, Choice>;
  rows: Api.Cell[][];
  text: string;
  signs: string[];
  open: Place | null;
  name?: (row: number, column: number) => string;
}

/** How number lines are drawn: see `drawLines`. */
interface LinesHow {
  moves?: Choice[];
  told?: Map<string, Told>;
  play?: Play | null;
  look?: (choice: Choice | null | undefined) => void;
  sent?: string | null;
}

/** A player's side of a position. */
interface Side {
  name: string;
  tags: string[];
  fields: Api.ShownField[];
  moving: boolean;
}

/** What can be typed at a position. */
interface Typed {
  moves: { move: string }[];
  digits?: boolean;
  can: string[];
}

/** A game of this device. */
interface Entry {
  id: string;
  game: string;
  title: string;
  mode: string;
  level: string | null;
  opponent: string;
  waiting: boolean;
  yours: boolean;
  between?: boolean;
  number: string;
  over: boolean;
  result: string | null;
  won: boolean;
  changed: number;
}
/** What was done with puzzles and lessons on this device. */
interface Progress {
  solved: string[];
  streak: number;
  best: number;
  daily: Record<string, { tries: number; solved: boolean; over: boolean }>;
  lessons: Record<string, { done: number[]; last: number }>;
}

/** What a page asks of the stream. */
type Call =
  | { call: "follow"; id: string; watching: boolean; change: number }
  | { call: "leave"; id: string }
  | { call: "wake"; lost: boolean };
interface Follower {
  onTable: (table: Api.TableView) => void;
  onState: (state: string) => void;
  onHere: (here: boolean[]) => void;
  onGone: (message: string) => void;
}

/** What an event of the stream brings, by its name. */
interface StreamEvent extends Api.TableView {
  beat: number;
  here: boolean[];
  code: string;
}
/** What the stream tells a page. */
interface Heard {
  id?: string;
  state?: string;
  table?: Api.TableView;
  here?: boolean[];
  end?: string;
  ping?: boolean;
}

// A page asks only for what is on it, and what it holds are elements of HTML, or parts of a picture used like them.
interface ParentNode {
  querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K];
  querySelector<K extends keyof SVGElementTagNameMap>(selectors: K): SVGElementTagNameMap[K];
  querySelector<E extends Element = HTMLElement>(selectors: string): E;
  querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>;
  querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>;
}
interface Element {
  setAttribute(name: string, value: unknown): void;
  closest<E extends Element = HTMLElement>(selectors: string): E | null;
}
interface HTMLElement {
  readonly children: HTMLCollectionOf<HTMLElement>;
  readonly firstChild: HTMLElement;
  readonly lastChild: HTMLElement;
  readonly firstElementChild: HTMLElement | null;
  readonly parentElement: HTMLElement;
  readonly dataset: Record<string, string>;
}
interface Document {
  readonly activeElement: HTMLElement;
  getElementById<K extends keyof Ids>(id: K): Ids[K];
}
interface UIEvent {
  readonly target: HTMLElement;
}
interface HTMLFormControlsCollection {
  readonly game: HTMLSelectElement;
  readonly grade: RadioNodeList;
  readonly level: HTMLSelectElement;
  readonly mode: RadioNodeList;
  readonly ply: HTMLInputElement;
  readonly key: HTMLInputElement;
  readonly watch: HTMLInputElement[];
}
interface WindowEventMap {
  connect: MessageEvent;
}
