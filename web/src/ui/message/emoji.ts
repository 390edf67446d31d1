/** The emoji that businesses use, with search words. The list is built in; nothing is fetched. */
type EmojiItem = readonly [emoji: string, name: string];
export interface EmojiGroup {
  label: string;
  items: readonly EmojiItem[];
}

const list = (text: string): EmojiItem[] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [emoji = '', ...name] = line.trim().split(' ');
      return [emoji, name.join(' ')] as const;
    });

export const EMOJI: readonly EmojiGroup[] = [
  {
    label: 'Smileys',
    items: list(`
      😀 grinning face happy
      😃 smiling face open mouth happy
      😄 smiling eyes happy
      😁 beaming grin
      😆 laughing
      😅 sweat smile relief
      😂 tears of joy laughing
      🤣 rolling laughing
      🙂 slight smile
      😉 wink
      😊 blush smile
      😇 halo angel
      🥰 smiling hearts love
      😍 heart eyes love
      🤩 star struck wow
      😘 kiss
      😋 yummy delicious
      😎 cool sunglasses
      🤓 nerd glasses
      🧐 monocle look closely
      🥳 party celebrate birthday
      🤗 hug
      🤔 thinking
      🤫 quiet secret
      😌 relieved
      😴 sleeping
      😬 grimace
      🙄 rolling eyes
      😮 surprised
      😢 crying sad
      😭 loud crying sad
      😱 scream shock
      😤 huff
      😡 angry
      🤯 mind blown
      🤒 sick ill thermometer
      😷 mask health
      🤝 handshake deal agreement
      👋 wave hello goodbye
      👍 thumbs up yes good
      👎 thumbs down no bad
      👏 clap applause
      🙌 raised hands hooray
      🙏 thanks please pray
      💪 strong muscle
      👌 okay fine
      ✌️ victory peace
      🤞 fingers crossed luck
      👉 point right
      👈 point left
      👇 point down
      👆 point up
      ☝️ one finger up
      👀 eyes look
      🙋 raised hand question
      🤷 shrug
    `),
  },
  {
    label: 'Hearts and symbols',
    items: list(`
      ❤️ red heart love
      🧡 orange heart
      💛 yellow heart
      💚 green heart
      💙 blue heart
      💜 purple heart
      🖤 black heart
      🤍 white heart
      💔 broken heart
      💕 two hearts
      💯 hundred points perfect
      ✅ check mark done yes
      ✔️ check tick
      ❌ cross no wrong
      ❗ exclamation important
      ❓ question mark
      ⚠️ warning attention
      🚫 forbidden not allowed
      ⛔ no entry stop
      🆕 new
      🆓 free
      🔝 top
      🔜 soon
      ➡️ right arrow
      ⬅️ left arrow
      ⬇️ down arrow
      ⬆️ up arrow
      🔄 refresh again
      ⭐ star favorite
      🌟 glowing star
      ✨ sparkles new shiny
      🔥 fire hot sale
      💥 boom
      💬 speech balloon message chat
      💭 thought balloon
      📣 megaphone announce
      🔔 bell notification reminder
      🔕 bell off mute
      🔴 red circle
      🟢 green circle
      🔵 blue circle
      🟡 yellow circle
    `),
  },
  {
    label: 'Business and shopping',
    items: list(`
      🛒 cart shopping
      🛍️ shopping bags
      🎁 gift present
      🏷️ label tag price
      💰 money bag
      💵 dollar money
      💶 euro money
      💳 credit card payment
      🧾 receipt bill
      📦 package parcel delivery
      🚚 delivery truck shipping
      🚀 rocket launch fast
      🏪 shop store
      🏬 department store
      🏢 office building
      🏦 bank
      🏭 factory
      💼 briefcase work
      📈 chart up growth
      📉 chart down
      📊 bar chart
      📅 calendar date
      📆 calendar day
      ⏰ alarm clock reminder
      ⏳ hourglass time left
      ⌛ hourglass done
      🕐 clock time
      📌 pin
      📍 location pin
      📎 paper clip attachment
      📝 memo note
      📄 document page
      📁 folder
      📋 clipboard
      ✏️ pencil
      🔒 lock secure
      🔓 unlock
      🔑 key access
      🔗 link
      🔍 search magnifier
      💡 idea light bulb
      🏆 trophy winner
      🥇 first gold medal
      🎯 target goal
      🎟️ ticket admission
      🎫 ticket
      🆔 id
    `),
  },
  {
    label: 'Phone and technology',
    items: list(`
      📱 mobile phone
      📞 telephone call
      ☎️ telephone
      💻 laptop computer
      🖥️ desktop computer
      🖨️ printer
      ⌚ watch
      📷 camera photo
      📹 video camera
      🎥 film camera
      🎧 headphones
      🎤 microphone
      🔋 battery
      🔌 plug power
      📧 email e-mail
      ✉️ envelope letter
      📩 envelope arrow message
      📨 incoming envelope
      📬 mailbox
      🌐 globe internet web
      🛠️ tools repair
      🔧 wrench
      ⚙️ gear settings
      🤖 robot bot
    `),
  },
  {
    label: 'Food and drink',
    items: list(`
      ☕ coffee hot drink
      🍵 tea
      🥤 cup straw drink
      🍺 beer
      🍷 wine
      🥂 glasses cheers celebrate
      🍕 pizza
      🍔 burger
      🍟 fries
      🌮 taco
      🌯 burrito wrap
      🥗 salad
      🍣 sushi
      🍜 noodles soup
      🍝 pasta spaghetti
      🍞 bread
      🥐 croissant
      🧀 cheese
      🥩 meat steak
      🍗 chicken
      🐟 fish
      🍎 apple
      🍌 banana
      🍓 strawberry
      🍇 grapes
      🍉 watermelon
      🥑 avocado
      🥕 carrot
      🍰 cake
      🎂 birthday cake
      🍫 chocolate
      🍦 ice cream
      🍪 cookie
      🍽️ plate fork knife restaurant
      👨‍🍳 cook chef
    `),
  },
  {
    label: 'Travel and places',
    items: list(`
      ✈️ airplane flight
      🚗 car
      🚕 taxi
      🚌 bus
      🚆 train
      🚲 bicycle
      🛵 scooter
      🚢 ship
      ⛽ fuel station
      🅿️ parking
      🚦 traffic lights
      🏠 house home
      🏡 house garden
      🏥 hospital
      🏫 school
      🏨 hotel
      🛏️ bed room
      🧳 luggage
      🗺️ map
      🧭 compass
      🏖️ beach holiday
      🏔️ mountain
      🏕️ camping
      🌆 city evening
      🎡 ferris wheel
    `),
  },
  {
    label: 'Celebration, sport, nature',
    items: list(`
      🎉 party popper celebrate
      🎊 confetti
      🎈 balloon
      🎄 christmas tree
      🎅 santa christmas
      🎃 pumpkin halloween
      🎆 fireworks new year
      🐣 chick easter
      🌹 rose flower
      💐 bouquet flowers
      🌸 blossom spring
      🌻 sunflower
      🌷 tulip
      🌿 herb green
      🌱 seedling plant
      🍀 four leaf clover luck
      🍁 maple leaf fall autumn
      ☀️ sun sunny
      🌤️ sun cloud weather
      ☁️ cloud
      🌧️ rain
      ❄️ snowflake cold winter
      ☔ umbrella rain
      🌈 rainbow
      🌙 moon night
      🐶 dog
      🐱 cat
      🐾 paws pet animal
      ⚽ football soccer
      🏀 basketball
      🎾 tennis
      🏋️ weights gym fitness
      🧘 yoga calm
      🏃 running
      🏊 swimming
      🎮 game controller
      🎬 film clapper movie
      🎵 music note
      🎨 art palette
      📚 books
      🎓 graduation education
      💊 pill medicine pharmacy
      🩺 stethoscope doctor
      💉 syringe vaccine
      🦷 tooth dentist
      💇 haircut hairdresser
      💅 nails beauty
      💄 lipstick beauty
      👗 dress fashion
      👟 shoe sneaker
      👓 glasses
      💍 ring wedding
      👶 baby
      🧸 teddy bear toy
    `),
  },
];
