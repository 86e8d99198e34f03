function dt(s,t={},...e){let i=document.createElement(s);for(let[n,r]of Object.entries(t))n.startsWith("on")?i.addEventListener(n.slice(2),r):r===!0?i.setAttribute(n,""):r!==!1&&r!=null&&i.setAttribute(n,r);return i.append(...e),i}var Vt=s=>document.getElementById(s);function Wt(s,t){if(Tp.get(s)===t)return;Tp.set(s,t);let e=s.firstChild;e?.nodeType===Node.TEXT_NODE&&!e.nextSibling?e.data=t:s.textContent=t}var Tp=new WeakMap;function gr(s,t,e=t){let i=JSON.stringify([t,e]);if(s.dataset.key===i)return;let n=s.value;s.replaceChildren(...t.map((r,o)=>dt("option",{value:r},e[o]))),t.includes(n)&&(s.value=n),s.dataset.key=i}function Gi(s,t){let e=dt("dd",{},"\u2013");return s.append(dt("div",{},dt("dt",{},t),e)),e}var Pl=class{constructor(t){this.changed=t,this.shown=new Set,this.focus=0,this.frame="",this.ellipsoid="none",this.fitLimits=!1}reset(t){let e=t.map((n,r)=>r).filter(n=>t[n].type!=="floating"),i=e.length>0?e:t.map((n,r)=>r);this.shown=new Set(i.slice(0,8)),this.focus=i[0]??0,this.changed()}toggle(t){this.shown.delete(t)||this.shown.add(t),this.changed()}setFocus(t){this.focus=t,this.shown.add(t),this.changed()}step(t,e){e>0&&this.setFocus((this.focus+t+e)%e)}all(t){this.shown=new Set(Array.from({length:t},(e,i)=>i)),this.changed()}onlyFocus(){this.shown=new Set([this.focus]),this.changed()}get list(){return[...this.shown].sort((t,e)=>t-e)}};var Ap=[500,1e3,2e3,5e3],cx=15e3,hx=5e3,Il=class{constructor(t){this.handlers=t,this.state="connecting",this.opened=0,this.attempt=0,this.retryAt=0,this.received=0,this.bytes=0,this.badMessages=0,this.subscription=null,setInterval(()=>this.#n(),hx),window.addEventListener("online",()=>this.retryNow()),this.#t()}#t(){let t=new URL("/live",window.location.href);t.protocol=t.protocol==="https:"?"wss:":"ws:",this.attempt++,this.#o("connecting");let e=new WebSocket(t,"mbdyn.1");this.socket=e,e.onopen=()=>this.#e(e),e.onmessage=i=>this.#i(e,i.data),e.onclose=()=>this.#r(e)}#e(t){t===this.socket&&(this.opened++,this.attempt=0,this.heard=performance.now(),this.#o("open"),this.subscription&&this.#s({type:"subscribe",...this.subscription}))}#i(t,e){if(t!==this.socket||typeof e!="string")return;this.heard=performance.now(),this.received++,this.bytes+=e.length;let i=null;try{i=JSON.parse(e)}catch{this.badMessages++;return}i&&typeof i.type=="string"&&this.handlers.message(i)}#r(t){if(t!==this.socket)return;let e=Ap[Math.min(this.attempt,Ap.length-1)];this.retryAt=performance.now()+e,this.timer=setTimeout(()=>this.#t(),e),this.#o("waiting")}#n(){if(this.state==="open")if(performance.now()-this.heard>cx){let t=this.socket;this.#r(t),t.close()}else this.#s({type:"ping",id:this.received})}#s(t){this.socket.readyState===WebSocket.OPEN&&this.socket.send(JSON.stringify(t))}#o(t){this.state=t,this.handlers.state(this)}ask(t){this.state==="open"&&this.#s(t)}retryNow(){this.state==="waiting"&&(clearTimeout(this.timer),this.#t())}subscribe(t){this.subscription=t,this.state==="open"&&this.#s({type:"subscribe",...t})}};function Ou(s,t,e){let i=0,n=t;for(;i<n;){let r=i+n>>1;s[r]<e?i=r+1:n=r}return i}var Nl=class{constructor(t,e){this.capacity=e,this.room=e+(e>>2)+1,this.columns=t,this.length=0,this.times=new Float64Array(this.room),this.data=Array.from({length:t},()=>new Float32Array(this.room))}append(t){if(this.length>0&&t<=this.times[this.length-1])return-1;this.length===this.room&&this.#t();let e=this.length++;this.times[e]=t;for(let i of this.data)i[e]=NaN;return e}#t(){let t=this.length-this.capacity;this.times.copyWithin(0,t,this.length);for(let e of this.data)e.copyWithin(0,t,this.length);this.length=this.capacity}clear(){this.length=0}get first(){return this.length>0?this.times[0]:NaN}get last(){return this.length>0?this.times[this.length-1]:NaN}rows(t,e){let i=Math.max(0,Ou(this.times,this.length,t)-1),n=Math.min(this.length,Ou(this.times,this.length,e)+1);return[i,Math.max(i,n)]}rowAt(t){return Ou(this.times,this.length,t+1e-6)-1}value(t,e,i=0){let n=this.data[t];for(let r=e;r>=0&&r>=e-i;r--)if(!Number.isNaN(n[r]))return n[r];return NaN}},Ll=class{constructor(t,e=3e3){this.seconds=t,this.most=e,this.lists=new Map}add(t,e){let i=this.lists.get(t);i||this.lists.set(t,i=[]);let n=i[i.length-1];if(n&&e.t<n.t-1?i.length=0:n&&e.t<=n.t&&i.pop(),i.push(e),i.length>this.most||e.t-i[0].t>this.seconds*1.25){let r=i.findIndex(o=>e.t-o.t<=this.seconds);i.splice(0,Math.max(r,i.length-this.most,1))}}at(t,e=1/0){let i=this.lists.get(t);if(!i)return null;let n=0,r=i.length;for(;n<r;){let o=n+r>>1;i[o].t<=e?n=o+1:r=o}return i[Math.max(0,n-1)]}keys(t){return[...this.lists.keys()].filter(e=>e.startsWith(t))}clear(){this.lists.clear()}};var _r=["position","velocity","acceleration","measured","total","gravity","coriolis","inertia","friction","external","command","residual"],Rp=["gravity","coriolis","inertia","friction","external"],io=["kinetic_energy","potential_energy","power","input_age","compute_time","condition"],Ep=7,Cp=60,ux={jacobian:s=>`jacobian:${s.frame}`},dx=["mass_matrix","jacobian","operational_space_inertia","summary","external_wrench","saturated","status"],Dl=class{constructor(){this.seconds=300,this.robots=[],this.hello=null,this.diagnostics=[],this.playback=null,this.lastError=null,this.forget()}forget(){this.model=null,this.history=null,this.pose=null,this.messages=new Ll(this.seconds),this.rows=0}take(t){let e=this[`take_${t.type}`];return e?e.call(this,t)?t.type:null:!dx.includes(t.type)||!this.#t(t)?null:(this.messages.add(ux[t.type]?.(t)??t.type,t),t.type)}#t(t){return this.model!==null&&t.robot===this.model.robot}take_hello(t){return this.hello=t,t.history>0&&(this.seconds=Math.min(t.history,1800)),!0}take_robots(t){return this.robots=Array.isArray(t.robots)?t.robots:[],!0}take_playback(t){return this.playback=t,!0}take_error(t){return this.lastError=t,!0}take_diagnostics(t){return this.diagnostics=Array.isArray(t.status)?t.status:[],!0}take_model(t){let e=n=>JSON.stringify([n.robot,n.name,n.joints.map(r=>r.name)]),i=this.model!==null&&e(this.model)===e(t);if(i||this.forget(),this.model=t,!i){let n=_r.length*t.joints.length+io.length+Ep;this.history=new Nl(n,this.seconds*Cp)}return!0}take_reset(t){return this.#t(t)?(this.history.clear(),this.messages.clear(),this.pose=null,!0):!1}take_samples(t){if(!this.#t(t)||t.model!==this.model.version)return!1;let e=this.history,i=-1;if(t.t.forEach((n,r)=>{i=e.append(n),i>=0&&this.#e(t,r,i)}),t.pose){this.pose=t.pose;let n=t.pose.base;n&&i>=0&&n.forEach((r,o)=>e.data[this.baseColumn(o)][i]=r??NaN)}return this.rows+=t.t.length,!0}#e(t,e,i){let{data:n}=this.history;for(let r in t.columns)_r.includes(r)&&t.columns[r].forEach((o,a)=>{let l=n[this.column(r,t.joints[a])];l&&(l[i]=o[e]??NaN)});for(let r in t.scalars)io.includes(r)&&(n[this.scalar(r)][i]=t.scalars[r][e]??NaN)}get joints(){return this.model?this.model.joints:[]}column(t,e){return _r.indexOf(t)*this.joints.length+e}scalar(t){return _r.length*this.joints.length+io.indexOf(t)}baseColumn(t){return _r.length*this.joints.length+io.length+t}at(t,e,i){return i<0?NaN:this.history.value(this.column(t,e),i,15)}poseAt(t){let e=this.history?this.history.rowAt(t):-1;if(e<0)return null;let i=Array.from({length:Ep},(n,r)=>this.history.value(this.baseColumn(r),e,Cp));return{t:this.history.times[e],position:this.joints.map((n,r)=>this.at("position",r,e)),base:i.every(Number.isFinite)?i:null}}message(t,e){return this.messages.at(t,e)}get threshold(){let t=this.messages.at("status")?.threshold;return t>0?t:null}};var ku=s=>/^-[0.]*$/.test(s)?s.slice(1):s.replace("-","\u2212");function ei(s,t=3){return Number.isFinite(s)?ku(s.toFixed(t)):"\u2013"}function li(s,t=4){if(s===1/0)return"\u221E";if(!Number.isFinite(s))return"\u2013";let e=Math.abs(s);return e!==0&&(e<1e-4||e>=1e6)?ku(s.toExponential(t-2)):ku(String(Number(s.toPrecision(t))))}function da(s,t,e=4){let i=li(s,e);return i==="\u2013"||!t?i:`${i} ${t}`}function fa(s){if(!Number.isFinite(s))return"\u2013";let t=Math.abs(s);return t>=1?`${ei(s,2)} s`:t>=.001?`${ei(s*1e3,2)} ms`:`${ei(s*1e6,0)} \xB5s`}function Ul(s){return Number.isFinite(s)?`${s>=100?s.toFixed(0):s.toFixed(1)} Hz`:"\u2013"}function Fl(s){if(!Number.isFinite(s))return"\u2013";let t=new Date(s*1e3),e=n=>String(n).padStart(2,"0"),i=Math.floor(t.getMilliseconds()/100);return`${e(t.getHours())}:${e(t.getMinutes())}:${e(t.getSeconds())}.${i}`}function Pp(s){let t=10**Math.floor(Math.log10(s));return t*[1,2,5,10].find(e=>e*t>=s*(1-1e-9))}function no(s,t){return s==="position"?t:s==="velocity"?`${t}/s`:s==="acceleration"?`${t}/s\xB2`:t==="m"?"N":"N m"}var Ip="mbdyn.theme",Np=window.matchMedia("(prefers-color-scheme: dark)"),Lp=[],Dp={dark:["#6cb6ff","#ffab70","#ff7b72","#56d4c8","#85e89d","#e3c04b","#d2a8ff","#ff9bce","#c9a58b","#a9b4c0"],light:["#1f6fc0","#c8600a","#c9302c","#0b8a86","#2f8537","#8f6a00","#8246af","#c4387a","#7d5a43","#5c6773"]},fx={gravity:0,coriolis:1,inertia:4,friction:8,external:2,command:6,measured:3},pa=px();function px(){try{return window.localStorage.getItem(Ip)}catch{return null}}function Bu(){return pa==="dark"||pa==="light"?pa:Np.matches?"dark":"light"}var so=Bu(),Up=()=>so;function kl(){Bu()!==so&&(so=Bu(),document.documentElement.dataset.theme=so,Ol=null,Lp.forEach(s=>s()))}function zu(){pa=so==="dark"?"light":"dark";try{window.localStorage.setItem(Ip,pa)}catch{}kl()}function Fp(s){Lp.push(s)}var Ol=null;function We(){if(!Ol){let s=window.getComputedStyle(document.documentElement),t=e=>s.getPropertyValue(e).trim();Ol={text:t("--text"),soft:t("--soft"),line:t("--line"),panel:t("--panel"),page:t("--page"),accent:t("--accent"),bad:t("--bad"),warn:t("--warn"),band:t("--band"),positive:t("--positive"),negative:t("--negative"),zero:t("--zero")}}return Ol}var rs=s=>Dp[Up()][s%10],Op=s=>[[],[6,3],[2,3],[8,3,2,3]][Math.floor(s/10)%4];function ma(s){return s==="total"?We().text:Dp[Up()][fx[s]]}document.documentElement.dataset.theme=so;Np.addEventListener("change",kl);var kp={kinetic_energy:"J",potential_energy:"J",power:"W",input_age:"s",compute_time:"s",condition:""};function Vu(s,t){let e=document.createElement("a");e.href=URL.createObjectURL(t),e.download=s,e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),1e4)}function Gu(s,t,e){let i=(s.model?.name||"robot").replace(/[^\w.-]+/g,"_").slice(0,60),n=new Date((Number.isFinite(t)?t:Date.now()/1e3)*1e3).toISOString().slice(0,19);return`mbdyn_${i}_${n.replace(/:/g,"-")}.${e}`}function mx(s){let t=/^[=+\-@]/.test(s)?`'${s}`:s;return/[",\n\r]/.test(t)?`"${t.replace(/"/g,'""')}"`:t}var gx=s=>Number.isFinite(s)?String(Number(s.toPrecision(8))):"";function Bp(s,t,e){let{history:i,joints:n}=s,r=["time [s]"],o=[];n.forEach((l,c)=>{for(let h of _r){let u=no(h==="position"||h==="velocity"||h==="acceleration"?h:"effort",l.unit??"rad");r.push(`${l.name}.${h} [${u}]`),o.push(i.data[s.column(h,c)])}});for(let l of io)r.push(kp[l]?`${l} [${kp[l]}]`:l),o.push(i.data[s.scalar(l)]);let a=[r.map(mx).join(",")];for(let l=0;l<i.length;l++){let c=i.times[l];c<t||c>e||a.push(`${c.toFixed(6)},${o.map(h=>gx(h[l])).join(",")}`)}return`${a.join(`
`)}
`}function zp(s,t){s.view.draw();let e=[{title:s.store.model?.name??"",canvas:s.view.canvas},...t.pictures].filter(({canvas:p})=>p&&p.width>0&&p.height>0),i=window.devicePixelRatio,n=16*i,r=26*i,[o,...a]=e,l=a.length>1?2:1,c=Math.max(...a.map(p=>p.canvas.width),1),h=Math.max(...a.map(p=>p.canvas.height),1),u=Math.ceil(a.length/l),d=document.createElement("canvas"),f=o?o.canvas.width+n:0;d.width=n+f+l*(c+n),d.height=2*r+n+Math.max((o?.canvas.height??0)+r,u*(h+r+n));let m=d.getContext("2d"),x=We();m.fillStyle=x.panel,m.fillRect(0,0,d.width,d.height),m.fillStyle=x.text,m.font=`600 ${15*i}px system-ui, sans-serif`,m.fillText(`mbdyn \xB7 ${s.store.model?.name??"no robot"} \xB7 ${Fl(s.timeline.head)}`,n,r),m.font=`${12*i}px system-ui, sans-serif`;let g=({title:p,canvas:_},w,v)=>{m.fillStyle=x.soft,m.fillText(p,w,v+r*.7),m.drawImage(_,w,v+r)};return o&&g(o,n,r+n),a.forEach((p,_)=>g(p,n+f+_%l*(c+n),r+n+Math.floor(_/l)*(h+r+n))),new Promise(p=>d.toBlob(p,"image/png"))}var Vp=["position","velocity","command","residual"],Bl=class{constructor(t){this.app=t,this.body=Vt("joint-rows"),this.rows=[],Vt("joints-all").addEventListener("click",()=>t.choice.all(t.store.joints.length)),Vt("joints-one").addEventListener("click",()=>t.choice.onlyFocus())}rebuild(){let{store:t,choice:e}=this.app;this.rows=t.joints.map((o,a)=>this.#t(o,a)),this.body.replaceChildren(...this.rows.map(o=>o.node));let i=new Set(t.joints.map(o=>o.unit??"rad")),n=i.has("m")?i.size>1?"rad, m":"m":"rad",r=i.has("m")?i.size>1?"N m, N":"N":"N m";Vt("unit-position").textContent=n,Vt("unit-velocity").textContent=n.replace(/(\w+)/g,"$1/s"),Vt("unit-command").textContent=r,Vt("unit-residual").textContent=r,Wt(Vt("joints-count"),t.joints.length?`${e.shown.size} of ${t.joints.length} plotted`:""),this.mark()}#t(t,e){let{choice:i}=this.app,n=dt("input",{type:"checkbox","aria-label":`Plot ${t.name}`,onchange:()=>i.toggle(e)});n.style.accentColor=rs(e);let r=dt("span",{class:"swatch"});r.style.background=rs(e);let o=dt("button",{type:"button",class:"name",title:`Terms and limits of ${t.name}`,onclick:()=>i.setFocus(e)},r,dt("span",{},t.name)),a=Vp.map(u=>dt("td",{class:`number ${u}`},"\u2013")),l=dt("span",{class:"gauge-fill"}),c=dt("span",{class:"gauge-text"});return{node:dt("tr",{},dt("td",{},n),dt("th",{scope:"row"},o),...a,dt("td",{class:"use"},dt("span",{class:"gauge"},l),c)),check:n,name:o,numbers:a,bar:l,use:c}}mark(){let{choice:t,store:e}=this.app;this.rows.forEach((i,n)=>{i.check.checked=t.shown.has(n),i.node.classList.toggle("focus",t.focus===n),i.name.setAttribute("aria-pressed",String(t.focus===n))}),this.rows.length&&Wt(Vt("joints-count"),`${t.shown.size} of ${e.joints.length} plotted`),this.#e(this.rows[t.focus])}#e(t){let e=this.body.closest(".table-box");if(!t||!e||this.focused===t)return;this.focused=t;let{offsetTop:i,offsetHeight:n}=t.node,r=26;i-r<e.scrollTop?e.scrollTop=i-r:i+n>e.scrollTop+e.clientHeight&&(e.scrollTop=i+n-e.clientHeight)}draw(){let{store:t,timeline:e}=this.app;if(!t.history)return;let i=t.history.rowAt(e.reading),n=t.message("saturated",e.reading)?.joints??[];this.rows.forEach((r,o)=>{Vp.forEach((a,l)=>Wt(r.numbers[l],ei(t.at(a,o,i),3))),this.#i(r,o,i),r.node.classList.toggle("cut",n.includes(o))})}#i(t,e,i){let n=this.app.store.joints[e].limits?.effort,r=Math.abs(this.app.store.at("command",e,i))/n,o=Number.isFinite(r);t.bar.style.width=o?`${Math.min(r,1)*100}%`:"0",t.bar.classList.toggle("high",r>.8),Wt(t.use,o?`${Math.round(r*100)} %`:"\u2013")}};function Gp(s){let{timeline:t,choice:e,store:i}=s,n=[[" ","Space","pause and go on",()=>t.toggle()],["ArrowLeft","\u2190","one second back (Shift: ten)",o=>t.step(o.shiftKey?-10:-1)],["ArrowRight","\u2192","one second on (Shift: ten)",o=>t.step(o.shiftKey?10:1)],["End","End","live again",()=>t.toLast()],["Home","Home","oldest moment",()=>t.toFirst()],["+","+","plots: less time",()=>t.zoom(-1)],["-","\u2212","plots: more time",()=>t.zoom(1)],["j","J","next joint",()=>e.step(1,i.joints.length)],["k","K","joint before",()=>e.step(-1,i.joints.length)],["a","A","plot all joints",()=>e.all(i.joints.length)],["o","O","plot only this joint",()=>e.onlyFocus()],["l","L","show limits whole",()=>s.toggleLimits()],["m","M","ellipsoid: none, manipulability, effective mass",()=>s.nextEllipsoid()],["s","S","skeleton on and off",()=>s.toggleSkeleton()],["r","R","show the robot whole",()=>s.view.fit()],["c","C","save CSV",()=>s.saveCsv()],["p","P","save PNG",()=>s.savePng()],["t","T","dark and light",()=>s.toggleTheme()],["?","?","this help",()=>Hu()]];s.panels.forEach((o,a)=>n.splice(5+a,0,[String(a+1),String(a+1),`panel ${o.title}`,()=>s.open(o.id)]));let r=new Map(n.map(([o,,,a])=>[o,a]));r.set("=",r.get("+")),document.addEventListener("keydown",o=>{if(o.ctrlKey||o.metaKey||o.altKey||o.defaultPrevented||_x(o))return;let a=r.get(o.key.length===1?o.key.toLowerCase():o.key);a&&(o.preventDefault(),a(o))}),xx(n)}function _x(s){let{target:t,key:e}=s;return Vt("help").open?e!=="?":t.matches('select, input[type="text"], input[type="number"]')||t.matches('input[type="range"], [role="tab"]')&&/^(Arrow|Home|End)/.test(e)?!0:e===" "?t.matches("button, input, summary, a"):!1}function xx(s){Vt("help-keys").replaceChildren(...s.map(([,t,e])=>dt("div",{},dt("dt",{},dt("kbd",{},t)),dt("dd",{},e)))),Vt("help-button").addEventListener("click",Hu),Vt("help-close").addEventListener("click",Hu)}function Hu(){let s=Vt("help");s.open?s.close():s.showModal()}function zl({store:s,choice:t},e){let i=t.list.filter(n=>n!==t.focus&&n<s.joints.length);return t.shown.has(t.focus)&&t.focus<s.joints.length&&i.push(t.focus),i.map(n=>({label:s.joints[n].name,colour:rs(n),dash:Op(n),width:n===t.focus?2.25:1.1,column:s.column(e,n)}))}function Hp({store:s,choice:t}){if(t.focus>=s.joints.length)return[];let e=i=>s.column(i,t.focus);return[...Rp.map(i=>({label:i,colour:ma(i),width:1.3,column:e(i)})),{label:"measured",colour:ma("measured"),width:1,dash:[2,2],column:e("measured")},{label:"command",colour:ma("command"),width:1.5,dash:[6,3],column:e("command")},{label:"total",colour:ma("total"),width:2,column:e("total")}]}function ga({store:s,choice:t},e){let i=t.list.map(n=>s.joints[n]).filter(Boolean);return[...new Set(i.map(n=>no(e,n.unit??"rad")))].join(", ")}function Vl({store:s,choice:t},e){let i=s.joints[t.focus]?.limits;if(!i)return[];let{lower:n,upper:r,velocity:o,effort:a}=i;if(e==="position")return[{low:n??NaN,high:r??NaN}];let l=e==="velocity"?o:a;return l>0?[{low:-l,high:l}]:[]}function _a({store:s}){let{threshold:t}=s;return t===null?[]:[{low:-t,high:t,always:!0}]}var yx="uplot",vx="u-hz",bx="u-vt",Sx="u-title",Mx="u-wrap",wx="u-under",Tx="u-over",Ax="u-axis",vr="u-off",Ex="u-select",Cx="u-cursor-x",Rx="u-cursor-y",Px="u-cursor-pt",Ix="u-legend",Nx="u-live",Lx="u-inline",Dx="u-series",Ux="u-marker",Wp="u-label",Fx="u-value",ya="width",va="height";var Xp="bottom",ro="left",Wu="right",ad="#000",qp=ad+"0",Xu="mousemove",Yp="mousedown",qu="mouseup",jp="mouseenter",$p="mouseleave",Jp="dblclick",Ox="resize",kx="scroll",Zp="change",ql="dppxchange",ld="--",fo=typeof window<"u",Zu=fo?document:null,ao=fo?window:null,Bx=fo?navigator:null,Ae,Gl;function Ku(){let s=devicePixelRatio;Ae!=s&&(Ae=s,Gl&&td(Zp,Gl,Ku),Gl=matchMedia(`(min-resolution: ${Ae-.001}dppx) and (max-resolution: ${Ae+.001}dppx)`),br(Zp,Gl,Ku),ao.dispatchEvent(new CustomEvent(ql)))}function gn(s,t){if(t!=null){let e=s.classList;!e.contains(t)&&e.add(t)}}function Qu(s,t){let e=s.classList;e.contains(t)&&e.remove(t)}function $e(s,t,e){s.style[t]=e+"px"}function zn(s,t,e,i){let n=Zu.createElement(s);return t!=null&&gn(n,t),e?.insertBefore(n,i),n}function En(s,t){return zn("div",s,t)}var Kp=new WeakMap;function os(s,t,e,i,n){let r="translate("+t+"px,"+e+"px)",o=Kp.get(s);r!=o&&(s.style.transform=r,Kp.set(s,r),t<0||e<0||t>i||e>n?gn(s,vr):Qu(s,vr))}var Qp=new WeakMap;function tm(s,t,e){let i=t+e,n=Qp.get(s);i!=n&&(Qp.set(s,i),s.style.background=t,s.style.borderColor=e)}var em=new WeakMap;function im(s,t,e,i){let n=t+""+e,r=em.get(s);n!=r&&(em.set(s,n),s.style.height=e+"px",s.style.width=t+"px",s.style.marginLeft=i?-t/2+"px":0,s.style.marginTop=i?-e/2+"px":0)}var cd={passive:!0},zx={...cd,capture:!0};function br(s,t,e,i){t.addEventListener(s,e,i?zx:cd)}function td(s,t,e,i){t.removeEventListener(s,e,cd)}fo&&Ku();function Vn(s,t,e,i){let n;e=e||0,i=i||t.length-1;let r=i<=2147483647;for(;i-e>1;)n=r?e+i>>1:_n((e+i)/2),t[n]<s?e=n:i=n;return s-t[e]<=t[i]-s?e:i}function Pm(s){return(e,i,n)=>{let r=-1,o=-1;for(let a=i;a<=n;a++)if(s(e[a])){r=a;break}for(let a=n;a>=i;a--)if(s(e[a])){o=a;break}return[r,o]}}var Im=s=>s!=null,Nm=s=>s!=null&&s>0,$l=Pm(Im),Vx=Pm(Nm);function Gx(s,t,e,i=0,n=!1){let r=n?Vx:$l,o=n?Nm:Im;[t,e]=r(s,t,e);let a=s[t],l=s[t];if(t>-1)if(i==1)a=s[t],l=s[e];else if(i==-1)a=s[e],l=s[t];else for(let c=t;c<=e;c++){let h=s[c];o(h)&&(h<a?a=h:h>l&&(l=h))}return[a??ze,l??-ze]}function Jl(s,t,e,i){let n=rm(s),r=rm(t);s==t&&(n==-1?(s*=e,t/=e):(s/=e,t*=e));let o=e==10?Ss:Lm,a=n==1?_n:Cn,l=r==1?Cn:_n,c=a(o(Mi(s))),h=l(o(Mi(t))),u=lo(e,c),d=lo(e,h);return e==10&&(c<0&&(u=Ve(u,-c)),h<0&&(d=Ve(d,-h))),i||e==2?(s=u*n,t=d*r):(s=Om(s,u),t=Zl(t,d)),[s,t]}function hd(s,t,e,i){let n=Jl(s,t,e,i);return s==0&&(n[0]=0),t==0&&(n[1]=0),n}var ud=.1,nm={mode:3,pad:ud},Sa={pad:0,soft:null,mode:0},Hx={min:Sa,max:Sa};function Yl(s,t,e,i){return Kl(e)?sm(s,t,e):(Sa.pad=e,Sa.soft=i?0:null,Sa.mode=i?3:0,sm(s,t,Hx))}function we(s,t){return s??t}function Wx(s,t,e){for(t=we(t,0),e=we(e,s.length-1);t<=e;){if(s[t]!=null)return!0;t++}return!1}function sm(s,t,e){let i=e.min,n=e.max,r=we(i.pad,0),o=we(n.pad,0),a=we(i.hard,-ze),l=we(n.hard,ze),c=we(i.soft,ze),h=we(n.soft,-ze),u=we(i.mode,0),d=we(n.mode,0),f=t-s,m=Ss(f),x=en(Mi(s),Mi(t)),g=Ss(x),p=Mi(g-m);(f<1e-24||p>10)&&(f=0,(s==0||t==0)&&(f=1e-24,u==2&&c!=ze&&(r=0),d==2&&h!=-ze&&(o=0)));let _=f||x||1e3,w=Ss(_),v=lo(10,_n(w)),A=_*(f==0?s==0?.1:1:r),S=Ve(Om(s-A,v/10),24),y=s>=c&&(u==1||u==3&&S<=c||u==2&&S>=c)?c:ze,M=en(a,S<y&&s>=y?y:Gn(y,S)),I=_*(f==0?t==0?.1:1:o),P=Ve(Zl(t+I,v/10),24),R=t<=h&&(d==1||d==3&&P>=h||d==2&&P<=h)?h:-ze,U=Gn(l,P>R&&t<=R?R:en(R,P));return M==U&&M==0&&(U=100),[M,U]}var Xx=new Intl.NumberFormat(fo?Bx.language:"en-US"),dd=s=>Xx.format(s),xn=Math,Xl=xn.PI,Mi=xn.abs,_n=xn.floor,Si=xn.round,Cn=xn.ceil,Gn=xn.min,en=xn.max,lo=xn.pow,rm=xn.sign,Ss=xn.log10,Lm=xn.log2,qx=(s,t=1)=>xn.sinh(s)*t,Yu=(s,t=1)=>xn.asinh(s/t),ze=1/0;function om(s){return(Ss((s^s>>31)-(s>>31))|0)+1}function ed(s,t,e){return Gn(en(s,t),e)}function Dm(s){return typeof s=="function"}function be(s){return Dm(s)?s:()=>s}var Yx=()=>{},Um=s=>s,Fm=(s,t)=>t,jx=s=>null,am=s=>!0,lm=(s,t)=>s==t,$x=/\.\d*?(?=9{6,}|0{6,})/gm,Sr=s=>{if(Bm(s)||Ys.has(s))return s;let t=`${s}`,e=t.match($x);if(e==null)return s;let i=e[0].length-1;if(t.indexOf("e-")!=-1){let[n,r]=t.split("e");return+`${Sr(n)}e${r}`}return Ve(s,i)};function xr(s,t){return Sr(Ve(Sr(s/t))*t)}function Zl(s,t){return Sr(Cn(Sr(s/t))*t)}function Om(s,t){return Sr(_n(Sr(s/t))*t)}function Ve(s,t=0){if(Bm(s))return s;let e=10**t,i=s*e*(1+Number.EPSILON);return Si(i)/e}var Ys=new Map;function km(s){return((""+s).split(".")[1]||"").length}function wa(s,t,e,i){let n=[],r=i.map(km);for(let o=t;o<e;o++){let a=Mi(o),l=Ve(lo(s,o),a);for(let c=0;c<i.length;c++){let h=s==10?+`${i[c]}e${o}`:i[c]*l,u=(o>=0?0:a)+(o>=r[c]?0:r[c]),d=s==10?h:Ve(h,u);n.push(d),Ys.set(d,u)}}return n}var Ma={},fd=[],co=[null,null],qs=Array.isArray,Bm=Number.isInteger,Jx=s=>s===void 0;function cm(s){return typeof s=="string"}function Kl(s){let t=!1;if(s!=null){let e=s.constructor;t=e==null||e==Object}return t}function Zx(s){return s!=null&&typeof s=="object"}var Kx=Object.getPrototypeOf(Uint8Array),zm="__proto__";function ho(s,t=Kl){let e;if(qs(s)){let i=s.find(n=>n!=null);if(qs(i)||t(i)){e=Array(s.length);for(let n=0;n<s.length;n++)e[n]=ho(s[n],t)}else e=s.slice()}else if(s instanceof Kx)e=s.slice();else if(t(s)){e={};for(let i in s)i!=zm&&(e[i]=ho(s[i],t))}else e=s;return e}function _i(s){let t=arguments;for(let e=1;e<t.length;e++){let i=t[e];for(let n in i)n!=zm&&(Kl(s[n])?_i(s[n],ho(i[n])):s[n]=ho(i[n]))}return s}var Qx=0,ty=1,ey=2;function iy(s,t,e){for(let i=0,n,r=-1;i<t.length;i++){let o=t[i];if(o>r){for(n=o-1;n>=0&&s[n]==null;)s[n--]=null;for(n=o+1;n<e&&s[n]==null;)s[r=n++]=null}}}function ny(s,t){if(oy(s)){let o=s[0].slice();for(let a=1;a<s.length;a++)o.push(...s[a].slice(1));return ay(o[0])||(o=ry(o)),o}let e=new Set;for(let o=0;o<s.length;o++){let l=s[o][0],c=l.length;for(let h=0;h<c;h++)e.add(l[h])}let i=[Array.from(e).sort((o,a)=>o-a)],n=i[0].length,r=new Map;for(let o=0;o<n;o++)r.set(i[0][o],o);for(let o=0;o<s.length;o++){let a=s[o],l=a[0];for(let c=1;c<a.length;c++){let h=a[c],u=Array(n).fill(void 0),d=t?t[o][c]:ty,f=[];for(let m=0;m<h.length;m++){let x=h[m],g=r.get(l[m]);x===null?d!=Qx&&(u[g]=x,d==ey&&f.push(g)):u[g]=x}iy(u,f,n),i.push(u)}}return i}var sy=typeof queueMicrotask>"u"?s=>Promise.resolve().then(s):queueMicrotask;function ry(s){let t=s[0],e=t.length,i=Array(e);for(let r=0;r<i.length;r++)i[r]=r;i.sort((r,o)=>t[r]-t[o]);let n=[];for(let r=0;r<s.length;r++){let o=s[r],a=Array(e);for(let l=0;l<e;l++)a[l]=o[i[l]];n.push(a)}return n}function oy(s){let t=s[0][0],e=t.length;for(let i=1;i<s.length;i++){let n=s[i][0];if(n.length!=e)return!1;if(n!=t){for(let r=0;r<e;r++)if(n[r]!=t[r])return!1}}return!0}function ay(s,t=100){let e=s.length;if(e<=1)return!0;let i=0,n=e-1;for(;i<=n&&s[i]==null;)i++;for(;n>=i&&s[n]==null;)n--;if(n<=i)return!0;let r=en(1,_n((n-i+1)/t));for(let o=s[i],a=i+r;a<=n;a+=r){let l=s[a];if(l!=null){if(l<=o)return!1;o=l}}return!0}var Vm=["January","February","March","April","May","June","July","August","September","October","November","December"],Gm=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Hm(s){return s.slice(0,3)}var ly=Gm.map(Hm),cy=Vm.map(Hm),hy={MMMM:Vm,MMM:cy,WWWW:Gm,WWW:ly};function xa(s){return(s<10?"0":"")+s}function uy(s){return(s<10?"00":s<100?"0":"")+s}var dy={YYYY:s=>s.getFullYear(),YY:s=>(s.getFullYear()+"").slice(2),MMMM:(s,t)=>t.MMMM[s.getMonth()],MMM:(s,t)=>t.MMM[s.getMonth()],MM:s=>xa(s.getMonth()+1),M:s=>s.getMonth()+1,DD:s=>xa(s.getDate()),D:s=>s.getDate(),WWWW:(s,t)=>t.WWWW[s.getDay()],WWW:(s,t)=>t.WWW[s.getDay()],HH:s=>xa(s.getHours()),H:s=>s.getHours(),h:s=>{let t=s.getHours();return t==0?12:t>12?t-12:t},AA:s=>s.getHours()>=12?"PM":"AM",aa:s=>s.getHours()>=12?"pm":"am",a:s=>s.getHours()>=12?"p":"a",mm:s=>xa(s.getMinutes()),m:s=>s.getMinutes(),ss:s=>xa(s.getSeconds()),s:s=>s.getSeconds(),fff:s=>uy(s.getMilliseconds())};function pd(s,t){t=t||hy;let e=[],i=/\{([a-z]+)\}|[^{]+/gi,n;for(;n=i.exec(s);)e.push(n[0][0]=="{"?dy[n[1]]:n[0]);return r=>{let o="";for(let a=0;a<e.length;a++)o+=typeof e[a]=="string"?e[a]:e[a](r,t);return o}}var fy=new Intl.DateTimeFormat().resolvedOptions().timeZone;function py(s,t){let e;return t=="UTC"||t=="Etc/UTC"?e=new Date(+s+s.getTimezoneOffset()*6e4):t==fy?e=s:(e=new Date(s.toLocaleString("en-US",{timeZone:t})),e.setMilliseconds(s.getMilliseconds())),e}var Wm=s=>s%1==0,jl=[1,2,2.5,5],my=wa(10,-32,0,jl),Xm=wa(10,0,32,jl),gy=Xm.filter(Wm),yr=my.concat(Xm),md=`
`,qm="{YYYY}",hm=md+qm,Ym="{M}/{D}",ba=md+Ym,Hl=ba+"/{YY}",jm="{aa}",_y="{h}:{mm}",oo=_y+jm,um=md+oo,dm=":{ss}",Ce=null;function $m(s){let t=s*1e3,e=t*60,i=e*60,n=i*24,r=n*30,o=n*365,l=(s==1?wa(10,0,3,jl).filter(Wm):wa(10,-3,0,jl)).concat([t,t*5,t*10,t*15,t*30,e,e*5,e*10,e*15,e*30,i,i*2,i*3,i*4,i*6,i*8,i*12,n,n*2,n*3,n*4,n*5,n*6,n*7,n*8,n*9,n*10,n*15,r,r*2,r*3,r*4,r*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),c=[[o,qm,Ce,Ce,Ce,Ce,Ce,Ce,1],[n*28,"{MMM}",hm,Ce,Ce,Ce,Ce,Ce,1],[n,Ym,hm,Ce,Ce,Ce,Ce,Ce,1],[i,"{h}"+jm,Hl,Ce,ba,Ce,Ce,Ce,1],[e,oo,Hl,Ce,ba,Ce,Ce,Ce,1],[t,dm,Hl+" "+oo,Ce,ba+" "+oo,Ce,um,Ce,1],[s,dm+".{fff}",Hl+" "+oo,Ce,ba+" "+oo,Ce,um,Ce,1]];function h(u){return(d,f,m,x,g,p)=>{let _=[],w=g>=o,v=g>=r&&g<o,A=u(m),S=Ve(A*s,3),y=ju(A.getFullYear(),w?0:A.getMonth(),v||w?1:A.getDate()),M=Ve(y*s,3);if(v||w){let I=v?g/r:0,P=w?g/o:0,R=S==M?S:Ve(ju(y.getFullYear()+P,y.getMonth()+I,1)*s,3),U=new Date(Si(R/s)),O=U.getFullYear(),L=U.getMonth();for(let H=0;R<=x;H++){let k=ju(O+P*H,L+I*H,1),G=k-u(Ve(k*s,3));R=Ve((+k+G)*s,3),R<=x&&_.push(R)}}else{let I=g>=n?n:g,P=_n(m)-_n(S),R=M+P+Zl(S-M,I);_.push(R);let U=u(R),O=U.getHours()+U.getMinutes()/e+U.getSeconds()/i,L=g/i,H=d.axes[f]._space,k=p/H;for(;R=Ve(R+g,s==1?0:3),!(R>x);)if(L>1){let G=_n(Ve(O+L,6))%24,J=u(R).getHours()-G;J>1&&(J=-1),R-=J*i,O=(O+L)%24;let Q=_[_.length-1];Ve((R-Q)/g,3)*k>=.7&&_.push(R)}else _.push(R)}return _}}return[l,c,h]}var[xy,yy,vy]=$m(1),[by,Sy,My]=$m(.001);wa(2,-53,53,[1]);function fm(s,t){return s.map(e=>e.map((i,n)=>n==0||n==8||i==null?i:t(n==1||e[8]==0?i:e[1]+i)))}function pm(s,t){return(e,i,n,r,o)=>{let a=t.find(m=>o>=m[0])||t[t.length-1],l,c,h,u,d,f;return i.map(m=>{let x=s(m),g=x.getFullYear(),p=x.getMonth(),_=x.getDate(),w=x.getHours(),v=x.getMinutes(),A=x.getSeconds(),S=g!=l&&a[2]||p!=c&&a[3]||_!=h&&a[4]||w!=u&&a[5]||v!=d&&a[6]||A!=f&&a[7]||a[1];return l=g,c=p,h=_,u=w,d=v,f=A,S(x)})}}function wy(s,t){let e=pd(t);return(i,n,r,o,a)=>n.map(l=>e(s(l)))}function ju(s,t,e){return new Date(s,t,e)}function mm(s,t){return t(s)}var Ty="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function gm(s,t){return(e,i,n,r)=>r==null?ld:t(s(i))}function Ay(s,t){let e=s.series[t];return e.width?e.stroke(s,t):e.points.width?e.points.stroke(s,t):null}function Ey(s,t){return s.series[t].fill(s,t)}var Cy={show:!0,live:!0,isolate:!1,mount:Yx,markers:{show:!0,width:2,stroke:Ay,fill:Ey,dash:"solid"},idx:null,idxs:null,values:[]};function Ry(s,t){let e=s.cursor.points,i=En(),n=e.size(s,t);$e(i,ya,n),$e(i,va,n);let r=n/-2;$e(i,"marginLeft",r),$e(i,"marginTop",r);let o=e.width(s,t,n);return o&&$e(i,"borderWidth",o),i}function Py(s,t){let e=s.series[t].points;return e._fill||e._stroke}function Iy(s,t){let e=s.series[t].points;return e._stroke||e._fill}function Ny(s,t){return s.series[t].points.size}var $u=[0,0];function Ly(s,t,e){return $u[0]=t,$u[1]=e,$u}function Wl(s,t,e,i=!0){return n=>{n.button==0&&(!i||n.target==t)&&e(n)}}function Ju(s,t,e,i=!0){return n=>{(!i||n.target==t)&&e(n)}}var Dy={show:!0,x:!0,y:!0,lock:!1,move:Ly,points:{one:!1,show:Ry,size:Ny,width:0,stroke:Iy,fill:Py},bind:{mousedown:Wl,mouseup:Wl,click:Wl,dblclick:Wl,mousemove:Ju,mouseleave:Ju,mouseenter:Ju},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(s,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(s,t,e,i,n)=>i-n,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Jm={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},gd=_i({},Jm,{filter:Fm}),Zm=_i({},gd,{size:10}),Km=_i({},Jm,{show:!1}),_d='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Qm="bold "+_d,tg=1.5,_m={show:!0,scale:"x",stroke:ad,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Qm,side:2,grid:gd,ticks:Zm,border:Km,font:_d,lineGap:tg,rotate:0},Uy="Value",Fy="Time",xm={show:!0,scale:"x",auto:!1,sorted:1,min:ze,max:-ze,idxs:[]};function Oy(s,t,e,i,n){return t.map(r=>r==null?"":dd(r))}function ky(s,t,e,i,n,r,o){let a=[],l=Ys.get(n)||0;e=o?e:Ve(Zl(e,n),l);for(let c=e;c<=i;c=Ve(c+n,l))a.push(Object.is(c,-0)?0:c);return a}function id(s,t,e,i,n,r,o){let a=[],l=s.scales[s.axes[t].scale].log,c=l==10?Ss:Lm,h=_n(c(e));n=lo(l,h),l==10&&(n=yr[Vn(n,yr)]);let u=e,d=n*l;l==10&&(d=yr[Vn(d,yr)]);do a.push(u),u=u+n,l==10&&!Ys.has(u)&&(u=Ve(u,Ys.get(n))),u>=d&&(n=u,d=n*l,l==10&&(d=yr[Vn(d,yr)]));while(u<=i);return a}function By(s,t,e,i,n,r,o){let l=s.scales[s.axes[t].scale].asinh,c=i>l?id(s,t,en(l,e),i,n):[l],h=i>=0&&e<=0?[0]:[];return(e<-l?id(s,t,en(l,-i),-e,n):[l]).reverse().map(d=>-d).concat(h,c)}var eg=/./,zy=/[12357]/,Vy=/[125]/,ym=/1/,nd=(s,t,e,i)=>s.map((n,r)=>t==4&&n==0||r%i==0&&e.test(n.toExponential()[n<0?1:0])?n:null);function Gy(s,t,e,i,n){let r=s.axes[e],o=r.scale,a=s.scales[o],l=s.valToPos,c=r._space,h=l(10,o),u=l(9,o)-h>=c?eg:l(7,o)-h>=c?zy:l(5,o)-h>=c?Vy:ym;if(u==ym){let d=Mi(l(1,o)-h);if(d<c)return nd(t.slice().reverse(),a.distr,u,Cn(c/d)).reverse()}return nd(t,a.distr,u,1)}function Hy(s,t,e,i,n){let r=s.axes[e],o=r.scale,a=r._space,l=s.valToPos,c=Mi(l(1,o)-l(2,o));return c<a?nd(t.slice().reverse(),3,eg,Cn(a/c)).reverse():t}function Wy(s,t,e,i){return i==null?ld:t==null?"":dd(t)}var vm={show:!0,scale:"y",stroke:ad,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Qm,side:3,grid:gd,ticks:Zm,border:Km,font:_d,lineGap:tg,rotate:0};function Xy(s,t){let e=3+(s||1)*2;return Ve(e*t,3)}function qy(s,t){let{scale:e,idxs:i}=s.series[0],n=s._data[0],r=s.valToPos(n[i[0]],e,!0),o=s.valToPos(n[i[1]],e,!0),a=Mi(o-r),l=s.series[t],c=a/(l.points.space*Ae);return i[1]-i[0]<=c}var bm={scale:null,auto:!0,sorted:0,min:ze,max:-ze},ig=(s,t,e,i,n)=>n,Sm={show:!0,auto:!0,sorted:0,gaps:ig,alpha:1,facets:[_i({},bm,{scale:"x"}),_i({},bm,{scale:"y"})]},Mm={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:ig,alpha:1,points:{show:qy,filter:null},values:null,min:ze,max:-ze,idxs:[],path:null,clip:null};function Yy(s,t,e,i,n){return e/10}var ng={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},jy=_i({},ng,{time:!1,ori:1}),wm={};function sg(s,t){let e=wm[s];return e||(e={key:s,plots:[],sub(i){e.plots.push(i)},unsub(i){e.plots=e.plots.filter(n=>n!=i)},pub(i,n,r,o,a,l,c){for(let h=0;h<e.plots.length;h++)e.plots[h]!=n&&e.plots[h].pub(i,n,r,o,a,l,c)}},s!=null&&(wm[s]=e)),e}var uo=1,sd=2;function Mr(s,t,e){let i=s.mode,n=s.series[t],r=i==2?s._data[t]:s._data,o=s.scales,a=s.bbox,l=r[0],c=i==2?r[1]:r[t],h=i==2?o[n.facets[0].scale]:o[s.series[0].scale],u=i==2?o[n.facets[1].scale]:o[n.scale],d=a.left,f=a.top,m=a.width,x=a.height,g=s.valToPosH,p=s.valToPosV;return h.ori==0?e(n,l,c,h,u,g,p,d,f,m,x,tc,po,ic,og,lg):e(n,l,c,h,u,p,g,f,d,x,m,ec,mo,vd,ag,cg)}function xd(s,t){let e=0,i=0,n=we(s.bands,fd);for(let r=0;r<n.length;r++){let o=n[r];o.series[0]==t?e=o.dir:o.series[1]==t&&(o.dir==1?i|=1:i|=2)}return[e,i==1?-1:i==2?1:i==3?2:0]}function $y(s,t,e,i,n){let r=s.mode,o=s.series[t],a=r==2?o.facets[1].scale:o.scale,l=s.scales[a];return n==-1?l.min:n==1?l.max:l.distr==3?l.dir==1?l.min:l.max:0}function Ms(s,t,e,i,n,r){return Mr(s,t,(o,a,l,c,h,u,d,f,m,x,g)=>{let p=o.pxRound,_=c.dir*(c.ori==0?1:-1),w=c.ori==0?po:mo,v,A;_==1?(v=e,A=i):(v=i,A=e);let S=p(u(a[v],c,x,f)),y=p(d(l[v],h,g,m)),M=p(u(a[A],c,x,f)),I=p(d(r==1?h.max:h.min,h,g,m)),P=new Path2D(n);return w(P,M,I),w(P,S,I),w(P,S,y),P})}function Ql(s,t,e,i,n,r){let o=null;if(s.length>0){o=new Path2D;let a=t==0?ic:vd,l=e;for(let u=0;u<s.length;u++){let d=s[u];if(d[1]>d[0]){let f=d[0]-l;f>0&&a(o,l,i,f,i+r),l=d[1]}}let c=e+n-l,h=10;c>0&&a(o,l,i-h/2,c,i+r+h)}return o}function Jy(s,t,e){let i=s[s.length-1];i&&i[0]==t?i[1]=e:s.push([t,e])}function yd(s,t,e,i,n,r,o){let a=[],l=s.length;for(let c=n==1?e:i;c>=e&&c<=i;c+=n)if(t[c]===null){let u=c,d=c;if(n==1)for(;++c<=i&&t[c]===null;)d=c;else for(;--c>=e&&t[c]===null;)d=c;let f=r(s[u]),m=d==u?f:r(s[d]),x=u-n;f=o<=0&&x>=0&&x<l?r(s[x]):f;let p=d+n;m=o>=0&&p>=0&&p<l?r(s[p]):m,m>=f&&a.push([f,m])}return a}function Tm(s){return s==0?Um:s==1?Si:t=>xr(t,s)}function rg(s){let t=s==0?tc:ec,e=s==0?(n,r,o,a,l,c)=>{n.arcTo(r,o,a,l,c)}:(n,r,o,a,l,c)=>{n.arcTo(o,r,l,a,c)},i=s==0?(n,r,o,a,l)=>{n.rect(r,o,a,l)}:(n,r,o,a,l)=>{n.rect(o,r,l,a)};return(n,r,o,a,l,c=0,h=0)=>{c==0&&h==0?i(n,r,o,a,l):(c=Gn(c,a/2,l/2),h=Gn(h,a/2,l/2),t(n,r+c,o),e(n,r+a,o,r+a,o+l,c),e(n,r+a,o+l,r,o+l,h),e(n,r,o+l,r,o,h),e(n,r,o,r+a,o,c),n.closePath())}}var tc=(s,t,e)=>{s.moveTo(t,e)},ec=(s,t,e)=>{s.moveTo(e,t)},po=(s,t,e)=>{s.lineTo(t,e)},mo=(s,t,e)=>{s.lineTo(e,t)},ic=rg(0),vd=rg(1),og=(s,t,e,i,n,r)=>{s.arc(t,e,i,n,r)},ag=(s,t,e,i,n,r)=>{s.arc(e,t,i,n,r)},lg=(s,t,e,i,n,r,o)=>{s.bezierCurveTo(t,e,i,n,r,o)},cg=(s,t,e,i,n,r,o)=>{s.bezierCurveTo(e,t,n,i,o,r)};function hg(s){return(t,e,i,n,r)=>Mr(t,e,(o,a,l,c,h,u,d,f,m,x,g)=>{let{pxRound:p,points:_}=o,w,v;c.ori==0?(w=tc,v=og):(w=ec,v=ag);let A=Ve(_.width*Ae,3),S=(_.size-_.width)/2*Ae,y=Ve(S*2,3),M=new Path2D,I=new Path2D,{left:P,top:R,width:U,height:O}=t.bbox;ic(I,P-y,R-y,U+y*2,O+y*2);let L=H=>{if(l[H]!=null){let k=p(u(a[H],c,x,f)),G=p(d(l[H],h,g,m));w(M,k+S,G),v(M,k,G,S,0,Xl*2)}};if(r)r.forEach(L);else for(let H=i;H<=n;H++)L(H);return{stroke:A>0?M:null,fill:M,clip:I,flags:uo|sd}})}function ug(s){return(t,e,i,n,r,o)=>{i!=n&&(r!=i&&o!=i&&s(t,e,i),r!=n&&o!=n&&s(t,e,n),s(t,e,o))}}var Zy=ug(po),Ky=ug(mo);function dg(s){let t=we(s?.alignGaps,0);return(e,i,n,r)=>Mr(e,i,(o,a,l,c,h,u,d,f,m,x,g)=>{[n,r]=$l(l,n,r);let p=o.pxRound,_=O=>p(u(O,c,x,f)),w=O=>p(d(O,h,g,m)),v,A;c.ori==0?(v=po,A=Zy):(v=mo,A=Ky);let S=c.dir*(c.ori==0?1:-1),y={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:uo},M=y.stroke,I=!1;if(r-n>=x*4){let O=nt=>e.posToVal(nt,c.key,!0),L=null,H=null,k,G,it,Y=_(a[S==1?n:r]),J=_(a[n]),Q=_(a[r]),ct=O(S==1?J+1:Q-1);for(let nt=S==1?n:r;nt>=n&&nt<=r;nt+=S){let q=a[nt],et=(S==1?q<ct:q>ct)?Y:_(q),at=l[nt];et==Y?at!=null?(G=at,L==null?(v(M,et,w(G)),k=L=H=G):G<L?L=G:G>H&&(H=G)):at===null&&(I=!0):(L!=null&&A(M,Y,w(L),w(H),w(k),w(G)),at!=null?(G=at,v(M,et,w(G)),L=H=k=G):(L=H=null,at===null&&(I=!0)),Y=et,ct=O(Y+S))}L!=null&&L!=H&&it!=Y&&A(M,Y,w(L),w(H),w(k),w(G))}else for(let O=S==1?n:r;O>=n&&O<=r;O+=S){let L=l[O];L===null?I=!0:L!=null&&v(M,_(a[O]),w(L))}let[R,U]=xd(e,i);if(o.fill!=null||R!=0){let O=y.fill=new Path2D(M),L=o.fillTo(e,i,o.min,o.max,R),H=w(L),k=_(a[n]),G=_(a[r]);S==-1&&([G,k]=[k,G]),v(O,G,H),v(O,k,H)}if(!o.spanGaps){let O=[];I&&O.push(...yd(a,l,n,r,S,_,t)),y.gaps=O=o.gaps(e,i,n,r,O),y.clip=Ql(O,c.ori,f,m,x,g)}return U!=0&&(y.band=U==2?[Ms(e,i,n,r,M,-1),Ms(e,i,n,r,M,1)]:Ms(e,i,n,r,M,U)),y})}function Qy(s){let t=we(s.align,1),e=we(s.ascDesc,!1),i=we(s.alignGaps,0),n=we(s.extend,!1);return(r,o,a,l)=>Mr(r,o,(c,h,u,d,f,m,x,g,p,_,w)=>{[a,l]=$l(u,a,l);let v=c.pxRound,{left:A,width:S}=r.bbox,y=J=>v(m(J,d,_,g)),M=J=>v(x(J,f,w,p)),I=d.ori==0?po:mo,P={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:uo},R=P.stroke,U=d.dir*(d.ori==0?1:-1),O=M(u[U==1?a:l]),L=y(h[U==1?a:l]),H=L,k=L;n&&t==-1&&(k=A,I(R,k,O)),I(R,L,O);for(let J=U==1?a:l;J>=a&&J<=l;J+=U){let Q=u[J];if(Q==null)continue;let ct=y(h[J]),nt=M(Q);t==1?I(R,ct,O):I(R,H,nt),I(R,ct,nt),O=nt,H=ct}let G=H;n&&t==1&&(G=A+S,I(R,G,O));let[it,Y]=xd(r,o);if(c.fill!=null||it!=0){let J=P.fill=new Path2D(R),Q=c.fillTo(r,o,c.min,c.max,it),ct=M(Q);I(J,G,ct),I(J,k,ct)}if(!c.spanGaps){let J=[];J.push(...yd(h,u,a,l,U,y,i));let Q=c.width*Ae/2,ct=e||t==1?Q:-Q,nt=e||t==-1?-Q:Q;J.forEach(q=>{q[0]+=ct,q[1]+=nt}),P.gaps=J=c.gaps(r,o,a,l,J),P.clip=Ql(J,d.ori,g,p,_,w)}return Y!=0&&(P.band=Y==2?[Ms(r,o,a,l,R,-1),Ms(r,o,a,l,R,1)]:Ms(r,o,a,l,R,Y)),P})}function Am(s,t,e,i,n,r,o=ze){if(s.length>1){let a=null;for(let l=0,c=1/0;l<s.length;l++)if(t[l]!==void 0){if(a!=null){let h=Mi(s[l]-s[a]);h<c&&(c=h,o=Mi(e(s[l],i,n,r)-e(s[a],i,n,r)))}a=l}}return o}function tv(s){s=s||Ma;let t=we(s.size,[.6,ze,1]),e=s.align||0,i=s.gap||0,n=s.radius;n=n==null?[0,0]:typeof n=="number"?[n,0]:n;let r=be(n),o=1-t[0],a=we(t[1],ze),l=we(t[2],1),c=we(s.disp,Ma),h=we(s.each,f=>{}),{fill:u,stroke:d}=c;return(f,m,x,g)=>Mr(f,m,(p,_,w,v,A,S,y,M,I,P,R)=>{let U=p.pxRound,O=e,L=i*Ae,H=a*Ae,k=l*Ae,G,it;v.ori==0?[G,it]=r(f,m):[it,G]=r(f,m);let Y=v.dir*(v.ori==0?1:-1),J=v.ori==0?ic:vd,Q=v.ori==0?h:(Rt,Qt,ce,wt,Be,Ht,Zt)=>{h(Rt,Qt,ce,Be,wt,Zt,Ht)},ct=we(f.bands,fd).find(Rt=>Rt.series[0]==m),nt=ct!=null?ct.dir:0,q=p.fillTo(f,m,p.min,p.max,nt),st=U(y(q,A,R,I)),et,at,gt,Ut=P,Kt=U(p.width*Ae),kt=!1,me=null,de=null,ae=null,Ze=null;u!=null&&(Kt==0||d!=null)&&(kt=!0,me=u.values(f,m,x,g),de=new Map,new Set(me).forEach(Rt=>{Rt!=null&&de.set(Rt,new Path2D)}),Kt>0&&(ae=d.values(f,m,x,g),Ze=new Map,new Set(ae).forEach(Rt=>{Rt!=null&&Ze.set(Rt,new Path2D)})));let{x0:He,size:ui}=c;if(He!=null&&ui!=null){O=1,_=He.values(f,m,x,g),He.unit==2&&(_=_.map(ce=>f.posToVal(M+ce*P,v.key,!0)));let Rt=ui.values(f,m,x,g);ui.unit==2?at=Rt[0]*P:at=S(Rt[0],v,P,M)-S(0,v,P,M),Ut=Am(_,w,S,v,P,M,Ut),gt=Ut-at+L}else Ut=Am(_,w,S,v,P,M,Ut),gt=Ut*o+L,at=Ut-gt;gt<1&&(gt=0),Kt>=at/2&&(Kt=0),gt<5&&(U=Um);let Fe=gt>0,Ei=Ut-gt-(Fe?Kt:0);at=U(ed(Ei,k,H)),et=(O==0?at/2:O==Y?0:at)-O*Y*((O==0?L/2:0)+(Fe?Kt/2:0));let Se={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},vi=kt?null:new Path2D,ni=null;if(ct!=null)ni=f.data[ct.series[1]];else{let{y0:Rt,y1:Qt}=c;Rt!=null&&Qt!=null&&(w=Qt.values(f,m,x,g),ni=Rt.values(f,m,x,g))}let di=G*at,z=it*at;for(let Rt=Y==1?x:g;Rt>=x&&Rt<=g;Rt+=Y){let Qt=w[Rt];if(Qt==null)continue;if(ni!=null){let j=ni[Rt]??0;if(Qt-j==0)continue;st=y(j,A,R,I)}let ce=v.distr!=2||c!=null?_[Rt]:Rt,wt=S(ce,v,P,M),Be=y(we(Qt,q),A,R,I),Ht=U(wt-et),Zt=U(en(Be,st)),N=U(Gn(Be,st)),T=Zt-N;if(Qt!=null){let j=Qt<0?z:di,mt=Qt<0?di:z;kt?(Kt>0&&ae[Rt]!=null&&J(Ze.get(ae[Rt]),Ht,N+_n(Kt/2),at,en(0,T-Kt),j,mt),me[Rt]!=null&&J(de.get(me[Rt]),Ht,N+_n(Kt/2),at,en(0,T-Kt),j,mt)):J(vi,Ht,N+_n(Kt/2),at,en(0,T-Kt),j,mt),Q(f,m,Rt,Ht-Kt/2,N,at+Kt,T)}}return Kt>0?Se.stroke=kt?Ze:vi:kt||(Se._fill=p.width==0?p._fill:p._stroke??p._fill,Se.width=0),Se.fill=kt?de:vi,Se})}function ev(s,t){let e=we(t?.alignGaps,0);return(i,n,r,o)=>Mr(i,n,(a,l,c,h,u,d,f,m,x,g,p)=>{[r,o]=$l(c,r,o);let _=a.pxRound,w=G=>_(d(G,h,g,m)),v=G=>_(f(G,u,p,x)),A,S,y;h.ori==0?(A=tc,y=po,S=lg):(A=ec,y=mo,S=cg);let M=h.dir*(h.ori==0?1:-1),I=w(l[M==1?r:o]),P=I,R=[],U=[];for(let G=M==1?r:o;G>=r&&G<=o;G+=M)if(c[G]!=null){let Y=l[G],J=w(Y);R.push(P=J),U.push(v(c[G]))}let O={stroke:s(R,U,A,y,S,_),fill:null,clip:null,band:null,gaps:null,flags:uo},L=O.stroke,[H,k]=xd(i,n);if(a.fill!=null||H!=0){let G=O.fill=new Path2D(L),it=a.fillTo(i,n,a.min,a.max,H),Y=v(it);y(G,P,Y),y(G,I,Y)}if(!a.spanGaps){let G=[];G.push(...yd(l,c,r,o,M,w,e)),O.gaps=G=a.gaps(i,n,r,o,G),O.clip=Ql(G,h.ori,m,x,g,p)}return k!=0&&(O.band=k==2?[Ms(i,n,r,o,L,-1),Ms(i,n,r,o,L,1)]:Ms(i,n,r,o,L,k)),O})}function iv(s){return ev(nv,s)}function nv(s,t,e,i,n,r){let o=s.length;if(o<2)return null;let a=new Path2D;if(e(a,s[0],t[0]),o==2)i(a,s[1],t[1]);else{let l=Array(o),c=Array(o-1),h=Array(o-1),u=Array(o-1);for(let d=0;d<o-1;d++)h[d]=t[d+1]-t[d],u[d]=s[d+1]-s[d],c[d]=h[d]/u[d];l[0]=c[0];for(let d=1;d<o-1;d++)c[d]===0||c[d-1]===0||c[d-1]>0!=c[d]>0?l[d]=0:(l[d]=3*(u[d-1]+u[d])/((2*u[d]+u[d-1])/c[d-1]+(u[d]+2*u[d-1])/c[d]),isFinite(l[d])||(l[d]=0));l[o-1]=c[o-2];for(let d=0;d<o-1;d++)n(a,s[d]+u[d]/3,t[d]+l[d]*u[d]/3,s[d+1]-u[d]/3,t[d+1]-l[d+1]*u[d]/3,s[d+1],t[d+1])}return a}var rd=new Set;function Em(){for(let s of rd)s.syncRect(!0)}fo&&(br(Ox,ao,Em),br(kx,ao,Em,!0),br(ql,ao,()=>{Ni.pxRatio=Ae}));var sv=dg(),rv=hg();function Cm(s,t,e,i){return(i?[s[0],s[1]].concat(s.slice(2)):[s[0]].concat(s.slice(1))).map((r,o)=>od(r,o,t,e))}function ov(s,t){return s.map((e,i)=>i==0?{}:_i({},t,e))}function od(s,t,e,i){return _i({},t==0?e:i,s)}function fg(s,t,e){return t==null?co:[t,e]}var av=fg;function lv(s,t,e){return t==null?co:Yl(t,e,ud,!0)}function pg(s,t,e,i){return t==null?co:Jl(t,e,s.scales[i].log,!1)}var cv=pg;function mg(s,t,e,i){return t==null?co:hd(t,e,s.scales[i].log,!1)}var hv=mg;function uv(s,t,e,i,n){let r=en(om(s),om(t)),o=t-s,a=Vn(n/i*o,e);do{let l=e[a],c=i*l/o;if(c>=n&&r+(l<5?Ys.get(l):0)<=17)return[l,c]}while(++a<e.length);return[0,0]}function Rm(s){let t,e;return s=s.replace(/(\d+)px/,(i,n)=>(t=Si((e=+n)*Ae))+"px"),[s,t,e]}function dv(s){s.show&&[s.font,s.labelFont].forEach(t=>{let e=Ve(t[2]*Ae,1);t[0]=t[0].replace(/[0-9.]+px/,e+"px"),t[1]=e})}function Ni(s,t,e){let i={mode:we(s.mode,1)},n=i.mode;function r(b,E,D,F){let X=E.valToPct(b);return F+D*(E.dir==-1?1-X:X)}function o(b,E,D,F){let X=E.valToPct(b);return F+D*(E.dir==-1?X:1-X)}function a(b,E,D,F){return E.ori==0?r(b,E,D,F):o(b,E,D,F)}i.valToPosH=r,i.valToPosV=o;let l=!1;i.status=0;let c=i.root=En(yx);if(s.id!=null&&(c.id=s.id),gn(c,s.class),s.title){let b=En(Sx,c);b.textContent=s.title}let h=zn("canvas"),u=i.ctx=h.getContext("2d"),d=En(Mx,c);br("click",d,b=>{b.target===m&&(qe!=Zr||Ke!=Kr)&&ki.click(i,b)},!0);let f=i.under=En(wx,d);d.appendChild(h);let m=i.over=En(Tx,d);s=ho(s);let x=+we(s.pxAlign,1),g=Tm(x);(s.plugins||[]).forEach(b=>{b.opts&&(s=b.opts(i,s)||s)});let p=s.ms||.001,_=i.series=n==1?Cm(s.series||[],xm,Mm,!1):ov(s.series||[null],Sm),w=i.axes=Cm(s.axes||[],_m,vm,!0),v=i.scales={},A=i.bands=s.bands||[];A.forEach(b=>{b.fill=be(b.fill||null),b.dir=we(b.dir,-1)});let S=n==2?_[1].facets[0].scale:_[0].scale,y={axes:vs,series:_e},M=(s.drawOrder||["axes","series"]).map(b=>y[b]);function I(b){let E=b.distr==3?D=>Ss(D>0?D:b.clamp(i,D,b.min,b.max,b.key)):b.distr==4?D=>Yu(D,b.asinh):b.distr==100?D=>b.fwd(D):D=>D;return D=>{let F=E(D),{_min:X,_max:K}=b,ft=K-X;return(F-X)/ft}}function P(b){let E=v[b];if(E==null){let D=(s.scales||Ma)[b]||Ma;if(D.from!=null){P(D.from);let F=_i({},v[D.from],D,{key:b});F.valToPct=I(F),v[b]=F}else{E=v[b]=_i({},b==S?ng:jy,D),E.key=b;let F=E.time,X=E.range,K=qs(X);if((b!=S||n==2&&!F)&&(K&&(X[0]==null||X[1]==null)&&(X={min:X[0]==null?nm:{mode:1,hard:X[0],soft:X[0]},max:X[1]==null?nm:{mode:1,hard:X[1],soft:X[1]}},K=!1),!K&&Kl(X))){let ft=X;X=(_t,St,Lt)=>St==null?co:Yl(St,Lt,ft)}E.range=be(X||(F?av:b==S?E.distr==3?cv:E.distr==4?hv:fg:E.distr==3?pg:E.distr==4?mg:lv)),E.auto=be(K?!1:E.auto),E.clamp=be(E.clamp||Yy),E._min=E._max=null,E.valToPct=I(E)}}}P("x"),P("y"),n==1&&_.forEach(b=>{P(b.scale)}),w.forEach(b=>{P(b.scale)});for(let b in s.scales)P(b);let R=v[S],U=R.distr,O,L;R.ori==0?(gn(c,vx),O=r,L=o):(gn(c,bx),O=o,L=r);let H={};for(let b in v){let E=v[b];(E.min!=null||E.max!=null)&&(H[b]={min:E.min,max:E.max},E.min=E.max=null)}let k=s.tzDate||(b=>new Date(Si(b/p))),G=s.fmtDate||pd,it=p==1?vy(k):My(k),Y=pm(k,fm(p==1?yy:Sy,G)),J=gm(k,mm(Ty,G)),Q=[],ct=i.legend=_i({},Cy,s.legend),nt=i.cursor=_i({},Dy,{drag:{y:n==2}},s.cursor),q=ct.show,st=nt.show,et=ct.markers;ct.idxs=Q,et.width=be(et.width),et.dash=be(et.dash),et.stroke=be(et.stroke),et.fill=be(et.fill);let at,gt,Ut,Kt=[],kt=[],me,de=!1,ae={};if(ct.live){let b=_[1]?_[1].values:null;de=b!=null,me=de?b(i,1,0):{_:0};for(let E in me)ae[E]=ld}if(q)if(at=zn("table",Ix,c),Ut=zn("tbody",null,at),ct.mount(i,at),de){gt=zn("thead",null,at,Ut);let b=zn("tr",null,gt);zn("th",null,b);for(var Ze in me)zn("th",Wp,b).textContent=Ze}else gn(at,Lx),ct.live&&gn(at,Nx);let He={show:!0},ui={show:!1};function Fe(b,E){if(E==0&&(de||!ct.live||n==2))return co;let D=[],F=zn("tr",Dx,Ut,Ut.childNodes[E]);gn(F,b.class),b.show||gn(F,vr);let X=zn("th",null,F);if(et.show){let _t=En(Ux,X);if(E>0){let St=et.width(i,E);St&&(_t.style.border=St+"px "+et.dash(i,E)+" "+et.stroke(i,E)),_t.style.background=et.fill(i,E)}}let K=En(Wp,X);b.label instanceof HTMLElement?K.appendChild(b.label):K.textContent=b.label,E>0&&(et.show||(K.style.color=b.width>0?et.stroke(i,E):et.fill(i,E)),Se("click",X,_t=>{if(nt._lock)return;ee(_t);let St=_.indexOf(b);if((_t.ctrlKey||_t.metaKey)!=ct.isolate){let Lt=_.some((Dt,Ot)=>Ot>0&&Ot!=St&&Dt.show);_.forEach((Dt,Ot)=>{Ot>0&&es(Ot,Lt?Ot==St?He:ui:He,!0,gi.setSeries)})}else es(St,{show:!b.show},!0,gi.setSeries)},!1),ie&&Se(jp,X,_t=>{nt._lock||(ee(_t),es(_.indexOf(b),to,!0,gi.setSeries))},!1));for(var ft in me){let _t=zn("td",Fx,F);_t.textContent="--",D.push(_t)}return[F,D]}let Ei=new Map;function Se(b,E,D,F=!0){let X=Ei.get(E)||{},K=nt.bind[b](i,E,D,F);K&&(br(b,E,X[b]=K),Ei.set(E,X))}function vi(b,E,D){let F=Ei.get(E)||{};for(let X in F)(b==null||X==b)&&(td(X,E,F[X]),delete F[X]);b==null&&Ei.delete(E)}let ni=0,di=0,z=0,Rt=0,Qt=0,ce=0,wt=Qt,Be=ce,Ht=z,Zt=Rt,N=0,T=0,j=0,mt=0;i.bbox={};let ut=!1,vt=!1,bt=!1,rt=!1,lt=!1,xt=!1;function B(b,E,D){(D||b!=i.width||E!=i.height)&&ht(b,E),fe(!1),bt=!0,vt=!0,Vi()}function ht(b,E){i.width=ni=z=b,i.height=di=Rt=E,Qt=ce=0,Mt(),Xt();let D=i.bbox;N=D.left=xr(Qt*Ae,.5),T=D.top=xr(ce*Ae,.5),j=D.width=xr(z*Ae,.5),mt=D.height=xr(Rt*Ae,.5)}let ot=3;function Tt(){let b=!1,E=0;for(;!b;){E++;let D=jr(E),F=ts(E);b=E==ot||D&&F,b||(ht(i.width,i.height),vt=!0)}}function yt({width:b,height:E}){B(b,E)}i.setSize=yt;function Mt(){let b=!1,E=!1,D=!1,F=!1;w.forEach((X,K)=>{if(X.show&&X._show){let{side:ft,_size:_t}=X,St=ft%2,Lt=X.label!=null?X.labelSize:0,Dt=_t+Lt;Dt>0&&(St?(z-=Dt,ft==3?(Qt+=Dt,F=!0):D=!0):(Rt-=Dt,ft==0?(ce+=Dt,b=!0):E=!0))}}),Kn[0]=b,Kn[1]=D,Kn[2]=E,Kn[3]=F,z-=On[1]+On[3],Qt+=On[3],Rt-=On[2]+On[0],ce+=On[0]}function Xt(){let b=Qt+z,E=ce+Rt,D=Qt,F=ce;function X(K,ft){switch(K){case 1:return b+=ft,b-ft;case 2:return E+=ft,E-ft;case 3:return D-=ft,D+ft;case 0:return F-=ft,F+ft}}w.forEach((K,ft)=>{if(K.show&&K._show){let _t=K.side;K._pos=X(_t,K._size),K.label!=null&&(K._lpos=X(_t,K.labelSize))}})}if(nt.dataIdx==null){let b=nt.hover,E=b.skip=new Set(b.skip??[]);E.add(void 0);let D=b.prox=be(b.prox),F=b.bias??=0;nt.dataIdx=(X,K,ft,_t)=>{if(K==0)return ft;let St=ft,Lt=D(X,K,ft,_t)??ze,Dt=Lt>=0&&Lt<ze,Ot=R.ori==0?z:Rt,le=nt.left,Te=t[0],Me=t[K];if(E.has(Me[ft])){St=null;let ye=null,te=null,Yt;if(F==0||F==-1)for(Yt=ft;ye==null&&Yt-- >0;)E.has(Me[Yt])||(ye=Yt);if(F==0||F==1)for(Yt=ft;te==null&&Yt++<Me.length;)E.has(Me[Yt])||(te=Yt);if(ye!=null||te!=null)if(Dt){let je=ye==null?-1/0:O(Te[ye],R,Ot,0),oi=te==null?1/0:O(Te[te],R,Ot,0),Ii=le-je,Oe=oi-le;Ii<=Oe?Ii<=Lt&&(St=ye):Oe<=Lt&&(St=te)}else St=te==null?ye:ye==null?te:ft-ye<=te-ft?ye:te}else Dt&&Mi(le-O(Te[ft],R,Ot,0))>Lt&&(St=null);return St}}let ee=b=>{nt.event=b};nt.idxs=Q,nt._lock=!1;let pt=nt.points;pt.show=be(pt.show),pt.size=be(pt.size),pt.stroke=be(pt.stroke),pt.width=be(pt.width),pt.fill=be(pt.fill);let Bt=i.focus=_i({},s.focus||{alpha:.3},nt.focus),ie=Bt.prox>=0,Ct=ie&&pt.one,he=[],Xe=[],Ji=[];function sa(b,E){let D=pt.show(i,E);if(D instanceof HTMLElement)return gn(D,Px),gn(D,b.class),os(D,-10,-10,z,Rt),m.insertBefore(D,he[E]),D}function Xr(b,E){if(n==1||E>0){let D=n==1&&v[b.scale].time,F=b.value;b.value=D?cm(F)?gm(k,mm(F,G)):F||J:F||Wy,b.label=b.label||(D?Fy:Uy)}if(Ct||E>0){b.width=b.width==null?1:b.width,b.paths=b.paths||sv||jx,b.fillTo=be(b.fillTo||$y),b.pxAlign=+we(b.pxAlign,x),b.pxRound=Tm(b.pxAlign),b.stroke=be(b.stroke||null),b.fill=be(b.fill||null),b._stroke=b._fill=b._paths=b._focus=null;let D=Xy(en(1,b.width),1),F=b.points=_i({},{size:D,width:en(1,D*.2),stroke:b.stroke,space:D*2,paths:rv,_stroke:null,_fill:null},b.points);F.show=be(F.show),F.filter=be(F.filter),F.fill=be(F.fill),F.stroke=be(F.stroke),F.paths=be(F.paths),F.pxAlign=b.pxAlign}if(q){let D=Fe(b,E);Kt.splice(E,0,D[0]),kt.splice(E,0,D[1]),ct.values.push(null)}if(st){Q.splice(E,0,null);let D=null;Ct?E==0&&(D=sa(b,E)):E>0&&(D=sa(b,E)),he.splice(E,0,D),Xe.splice(E,0,0),Ji.splice(E,0,0)}Pi("addSeries",E)}function Eu(b,E){E=E??_.length,b=n==1?od(b,E,xm,Mm):od(b,E,{},Sm),_.splice(E,0,b),Xr(_[E],E)}i.addSeries=Eu;function Al(b){if(_.splice(b,1),q){ct.values.splice(b,1),kt.splice(b,1);let E=Kt.splice(b,1)[0];vi(null,E.firstChild),E.remove()}st&&(Q.splice(b,1),he.splice(b,1)[0].remove(),Xe.splice(b,1),Ji.splice(b,1)),Pi("delSeries",b)}i.delSeries=Al;let Kn=[!1,!1,!1,!1];function _s(b,E){if(b._show=b.show,b.show){let D=b.side%2,F=v[b.scale];F==null&&(b.scale=D?_[1].scale:S,F=v[b.scale]);let X=F.time;b.size=be(b.size),b.space=be(b.space),b.rotate=be(b.rotate),qs(b.incrs)&&b.incrs.forEach(ft=>{!Ys.has(ft)&&Ys.set(ft,km(ft))}),b.incrs=be(b.incrs||(F.distr==2?gy:X?p==1?xy:by:yr)),b.splits=be(b.splits||(X&&F.distr==1?it:F.distr==3?id:F.distr==4?By:ky)),b.stroke=be(b.stroke),b.grid.stroke=be(b.grid.stroke),b.ticks.stroke=be(b.ticks.stroke),b.border.stroke=be(b.border.stroke);let K=b.values;b.values=qs(K)&&!qs(K[0])?be(K):X?qs(K)?pm(k,fm(K,G)):cm(K)?wy(k,K):K||Y:K||Oy,b.filter=be(b.filter||(F.distr>=3&&F.log==10?Gy:F.distr==3&&F.log==2?Hy:Fm)),b.font=Rm(b.font),b.labelFont=Rm(b.labelFont),b._size=b.size(i,null,E,0),b._space=b._rotate=b._incrs=b._found=b._splits=b._values=null,b._size>0&&(Kn[E]=!0,b._el=En(Ax,d))}}function xs(b,E,D,F){let[X,K,ft,_t]=D,St=E%2,Lt=0;return St==0&&(_t||K)&&(Lt=E==0&&!X||E==2&&!ft?Si(_m.size/3):0),St==1&&(X||ft)&&(Lt=E==1&&!K||E==3&&!_t?Si(vm.size/2):0),Lt}let ra=i.padding=(s.padding||[xs,xs,xs,xs]).map(b=>be(we(b,xs))),On=i._padding=ra.map((b,E)=>b(i,E,Kn,0)),si,ci=null,hi=null,Qn=n==1?_[0].idxs:null,dn=null,zs=!1;function oa(b,E){if(t=b??[],i.data=i._data=t,n==2){si=0;for(let D=1;D<_.length;D++)si+=t[D][0].length}else{t.length==0&&(i.data=i._data=t=[[]]),dn=t[0],si=dn.length;let D=t;if(U==2){D=t.slice();let F=D[0]=Array(si);for(let X=0;X<si;X++)F[X]=X}i._data=t=D}if(fe(!0),Pi("setData"),U==2&&(bt=!0),E!==!1){let D=R;D.auto(i,zs)?aa():Hs(S,D.min,D.max),rt=rt||nt.left>=0,xt=!0,Vi()}}i.setData=oa;function aa(){zs=!0;let b,E;n==1&&(si>0?(ci=Qn[0]=0,hi=Qn[1]=si-1,b=t[0][ci],E=t[0][hi],U==2?(b=ci,E=hi):b==E&&(U==3?[b,E]=Jl(b,b,R.log,!1):U==4?[b,E]=hd(b,b,R.log,!1):R.time?E=b+Si(86400/p):[b,E]=Yl(b,E,ud,!0))):(ci=Qn[0]=b=null,hi=Qn[1]=E=null)),Hs(S,b,E)}let qr,Vs,Yr,C,W,tt,$,Z,At,Pt;function Et(b,E,D,F,X,K){b??=qp,D??=fd,F??="butt",X??=qp,K??="round",b!=qr&&(u.strokeStyle=qr=b),X!=Vs&&(u.fillStyle=Vs=X),E!=Yr&&(u.lineWidth=Yr=E),K!=W&&(u.lineJoin=W=K),F!=tt&&(u.lineCap=tt=F),D!=C&&u.setLineDash(C=D)}function It(b,E,D,F){E!=Vs&&(u.fillStyle=Vs=E),b!=$&&(u.font=$=b),D!=Z&&(u.textAlign=Z=D),F!=At&&(u.textBaseline=At=F)}function Gt(b,E,D,F,X=0){if(F.length>0&&b.auto(i,zs)&&(E==null||E.min==null)){let K=we(ci,0),ft=we(hi,F.length-1),_t=D.min==null?Gx(F,K,ft,X,b.distr==3):[D.min,D.max];b.min=Gn(b.min,D.min=_t[0]),b.max=en(b.max,D.max=_t[1])}}let se={min:null,max:null};function ge(){for(let F in v){let X=v[F];H[F]==null&&(X.min==null||H[S]!=null&&X.auto(i,zs))&&(H[F]=se)}for(let F in v){let X=v[F];H[F]==null&&X.from!=null&&H[X.from]!=null&&(H[F]=se)}H[S]!=null&&fe(!0);let b={};for(let F in H){let X=H[F];if(X!=null){let K=b[F]=ho(v[F],Zx);if(X.min!=null)_i(K,X);else if(F!=S||n==2)if(si==0&&K.from==null){let ft=K.range(i,null,null,F);K.min=ft[0],K.max=ft[1]}else K.min=ze,K.max=-ze}}if(si>0){_.forEach((F,X)=>{if(n==1){let K=F.scale,ft=H[K];if(ft==null)return;let _t=b[K];if(X==0){let St=_t.range(i,_t.min,_t.max,K);_t.min=St[0],_t.max=St[1],ci=Vn(_t.min,t[0]),hi=Vn(_t.max,t[0]),hi-ci>1&&(t[0][ci]<_t.min&&ci++,t[0][hi]>_t.max&&hi--),F.min=dn[ci],F.max=dn[hi]}else F.show&&F.auto&&Gt(_t,ft,F,t[X],F.sorted);F.idxs[0]=ci,F.idxs[1]=hi}else if(X>0&&F.show&&F.auto){let[K,ft]=F.facets,_t=K.scale,St=ft.scale,[Lt,Dt]=t[X],Ot=b[_t],le=b[St];Ot!=null&&Gt(Ot,H[_t],K,Lt,K.sorted),le!=null&&Gt(le,H[St],ft,Dt,ft.sorted),F.min=ft.min,F.max=ft.max}});for(let F in b){let X=b[F],K=H[F];if(X.from==null&&(K==null||K.min==null)){let ft=X.range(i,X.min==ze?null:X.min,X.max==-ze?null:X.max,F);X.min=ft[0],X.max=ft[1]}}}for(let F in b){let X=b[F];if(X.from!=null){let K=b[X.from];if(K.min==null)X.min=X.max=null;else{let ft=X.range(i,K.min,K.max,F);X.min=ft[0],X.max=ft[1]}}}let E={},D=!1;for(let F in b){let X=b[F],K=v[F];if(K.min!=X.min||K.max!=X.max){K.min=X.min,K.max=X.max;let ft=K.distr;K._min=ft==3?Ss(K.min):ft==4?Yu(K.min,K.asinh):ft==100?K.fwd(K.min):K.min,K._max=ft==3?Ss(K.max):ft==4?Yu(K.max,K.asinh):ft==100?K.fwd(K.max):K.max,E[F]=D=!0}}if(D){_.forEach((F,X)=>{n==2?X>0&&E.y&&(F._paths=null):E[F.scale]&&(F._paths=null)});for(let F in E)bt=!0,Pi("setScale",F);st&&nt.left>=0&&(rt=xt=!0)}for(let F in H)H[F]=null}function zt(b){let E=ed(ci-1,0,si-1),D=ed(hi+1,0,si-1);for(;b[E]==null&&E>0;)E--;for(;b[D]==null&&D<si-1;)D++;return[E,D]}function _e(){if(si>0){let b=_.some(E=>E._focus)&&Pt!=Bt.alpha;b&&(u.globalAlpha=Pt=Bt.alpha),_.forEach((E,D)=>{if(D>0&&E.show&&(ti(D,!1),ti(D,!0),E._paths==null)){let F=Pt;Pt!=E.alpha&&(u.globalAlpha=Pt=E.alpha);let X=n==2?[0,t[D][0].length-1]:zt(t[D]);E._paths=E.paths(i,D,X[0],X[1]),Pt!=F&&(u.globalAlpha=Pt=F)}}),_.forEach((E,D)=>{if(D>0&&E.show){let F=Pt;Pt!=E.alpha&&(u.globalAlpha=Pt=E.alpha),E._paths!=null&&Pe(D,!1);{let X=E._paths!=null?E._paths.gaps:null,K=E.points.show(i,D,ci,hi,X),ft=E.points.filter(i,D,K,X);(K||ft)&&(E.points._paths=E.points.paths(i,D,ci,hi,ft),Pe(D,!0))}Pt!=F&&(u.globalAlpha=Pt=F),Pi("drawSeries",D)}}),b&&(u.globalAlpha=Pt=1)}}function ti(b,E){let D=E?_[b].points:_[b];D._stroke=D.stroke(i,b),D._fill=D.fill(i,b)}function Pe(b,E){let D=E?_[b].points:_[b],{stroke:F,fill:X,clip:K,flags:ft,_stroke:_t=D._stroke,_fill:St=D._fill,_width:Lt=D.width}=D._paths;Lt=Ve(Lt*Ae,3);let Dt=null,Ot=Lt%2/2;E&&St==null&&(St=Lt>0?"#fff":_t);let le=D.pxAlign==1&&Ot>0;if(le&&u.translate(Ot,Ot),!E){let Te=N-Lt/2,Me=T-Lt/2,ye=j+Lt,te=mt+Lt;Dt=new Path2D,Dt.rect(Te,Me,ye,te)}E?Ft(_t,Lt,D.dash,D.cap,St,F,X,ft,K):Ie(b,_t,Lt,D.dash,D.cap,St,F,X,ft,Dt,K),le&&u.translate(-Ot,-Ot)}function Ie(b,E,D,F,X,K,ft,_t,St,Lt,Dt){let Ot=!1;St!=0&&A.forEach((le,Te)=>{if(le.series[0]==b){let Me=_[le.series[1]],ye=t[le.series[1]],te=(Me._paths||Ma).band;qs(te)&&(te=le.dir==1?te[0]:te[1]);let Yt,je=null;Me.show&&te&&Wx(ye,ci,hi)?(je=le.fill(i,Te)||K,Yt=Me._paths.clip):te=null,Ft(E,D,F,X,je,ft,_t,St,Lt,Dt,Yt,te),Ot=!0}}),Ot||Ft(E,D,F,X,K,ft,_t,St,Lt,Dt)}let bi=uo|sd;function Ft(b,E,D,F,X,K,ft,_t,St,Lt,Dt,Ot){Et(b,E,D,F,X),(St||Lt||Ot)&&(u.save(),St&&u.clip(St),Lt&&u.clip(Lt)),Ot?(_t&bi)==bi?(u.clip(Ot),Dt&&u.clip(Dt),ve(X,ft),fi(b,K,E)):_t&sd?(ve(X,ft),u.clip(Ot),fi(b,K,E)):_t&uo&&(u.save(),u.clip(Ot),Dt&&u.clip(Dt),ve(X,ft),u.restore(),fi(b,K,E)):(ve(X,ft),fi(b,K,E)),(St||Lt||Ot)&&u.restore()}function fi(b,E,D){D>0&&(E instanceof Map?E.forEach((F,X)=>{u.strokeStyle=qr=X,u.stroke(F)}):E!=null&&b&&u.stroke(E))}function ve(b,E){E instanceof Map?E.forEach((D,F)=>{u.fillStyle=Vs=F,u.fill(D)}):E!=null&&b&&u.fill(E)}function ys(b,E,D,F){let X=w[b],K;if(F<=0)K=[0,0];else{let ft=X._space=X.space(i,b,E,D,F),_t=X._incrs=X.incrs(i,b,E,D,F,ft);K=uv(E,D,_t,F,ft)}return X._found=K}function pi(b,E,D,F,X,K,ft,_t,St,Lt){let Dt=ft%2/2;x==1&&u.translate(Dt,Dt),Et(_t,ft,St,Lt,_t),u.beginPath();let Ot,le,Te,Me,ye=X+(F==0||F==3?-K:K);D==0?(le=X,Me=ye):(Ot=X,Te=ye);for(let te=0;te<b.length;te++)E[te]!=null&&(D==0?Ot=Te=b[te]:le=Me=b[te],u.moveTo(Ot,le),u.lineTo(Te,Me));u.stroke(),x==1&&u.translate(-Dt,-Dt)}function jr(b){let E=!0;return w.forEach((D,F)=>{if(!D.show)return;let X=v[D.scale];if(X.min==null){D._show&&(E=!1,D._show=!1,fe(!1));return}else D._show||(E=!1,D._show=!0,fe(!1));let K=D.side,ft=K%2,{min:_t,max:St}=X,[Lt,Dt]=ys(F,_t,St,ft==0?z:Rt);if(Dt==0)return;let Ot=X.distr==2,le=D._splits=D.splits(i,F,_t,St,Lt,Dt,Ot),Te=X.distr==2?le.map(Yt=>dn[Yt]):le,Me=X.distr==2?dn[le[1]]-dn[le[0]]:Lt,ye=D._values=D.values(i,D.filter(i,Te,F,Dt,Me),F,Dt,Me);D._rotate=K==2?D.rotate(i,ye,F,Dt):0;let te=D._size;D._size=Cn(D.size(i,ye,F,b)),te!=null&&D._size!=te&&(E=!1)}),E}function ts(b){let E=!0;return ra.forEach((D,F)=>{let X=D(i,F,Kn,b);X!=On[F]&&(E=!1),On[F]=X}),E}function vs(){for(let b=0;b<w.length;b++){let E=w[b];if(!E.show||!E._show)continue;let D=E.side,F=D%2,X,K,ft=E.stroke(i,b),_t=D==0||D==3?-1:1,[St,Lt]=E._found;if(E.label!=null){let Qi=E.labelGap*_t,mn=Si((E._lpos+Qi)*Ae);It(E.labelFont[0],ft,"center",D==2?"top":Xp),u.save(),F==1?(X=K=0,u.translate(mn,Si(T+mt/2)),u.rotate((D==3?-Xl:Xl)/2)):(X=Si(N+j/2),K=mn);let mr=Dm(E.label)?E.label(i,b,St,Lt):E.label;u.fillText(mr,X,K),u.restore()}if(Lt==0)continue;let Dt=v[E.scale],Ot=F==0?j:mt,le=F==0?N:T,Te=E._splits,Me=Dt.distr==2?Te.map(Qi=>dn[Qi]):Te,ye=Dt.distr==2?dn[Te[1]]-dn[Te[0]]:St,te=E.ticks,Yt=E.border,je=te.show?te.size:0,oi=Si(je*Ae),Ii=Si((E.alignTo==2?E._size-je-E.gap:E.gap)*Ae),Oe=E._rotate*-Xl/180,ai=g(E._pos*Ae),fn=(oi+Ii)*_t,Ki=ai+fn;K=F==0?Ki:0,X=F==1?Ki:0;let Tn=E.font[0],kn=E.align==1?ro:E.align==2?Wu:Oe>0?ro:Oe<0?Wu:F==0?"center":D==3?Wu:ro,ns=Oe||F==1?"middle":D==2?"top":Xp;It(Tn,ft,kn,ns);let pn=E.font[1]*E.lineGap,An=Te.map(Qi=>g(a(Qi,Dt,Ot,le))),Bn=E._values;for(let Qi=0;Qi<Bn.length;Qi++){let mn=Bn[Qi];if(mn!=null){F==0?X=An[Qi]:K=An[Qi],mn=""+mn;let mr=mn.indexOf(`
`)==-1?[mn]:mn.split(/\n/gm);for(let tn=0;tn<mr.length;tn++){let wp=mr[tn];Oe?(u.save(),u.translate(X,K+tn*pn),u.rotate(Oe),u.fillText(wp,0,0),u.restore()):u.fillText(wp,X,K+tn*pn)}}}te.show&&pi(An,te.filter(i,Me,b,Lt,ye),F,D,ai,oi,Ve(te.width*Ae,3),te.stroke(i,b),te.dash,te.cap);let ss=E.grid;ss.show&&pi(An,ss.filter(i,Me,b,Lt,ye),F,F==0?2:1,F==0?T:N,F==0?mt:j,Ve(ss.width*Ae,3),ss.stroke(i,b),ss.dash,ss.cap),Yt.show&&pi([ai],[1],F==0?1:0,F==0?1:2,F==1?T:N,F==1?mt:j,Ve(Yt.width*Ae,3),Yt.stroke(i,b),Yt.dash,Yt.cap)}Pi("drawAxes")}function fe(b){_.forEach((E,D)=>{D>0&&(E._paths=null,b&&(n==1?(E.min=null,E.max=null):E.facets.forEach(F=>{F.min=null,F.max=null})))})}let ri=!1,Zi=!1,Ne=[];function mi(){Zi=!1;for(let b=0;b<Ne.length;b++)Pi(...Ne[b]);Ne.length=0}function Vi(){ri||(sy(op),ri=!0)}function El(b,E=!1){ri=!0,Zi=E,b(i),op(),E&&Ne.length>0&&queueMicrotask(mi)}i.batch=El;function op(){if(ut&&(ge(),ut=!1),bt&&(Tt(),bt=!1),vt){if($e(f,ro,Qt),$e(f,"top",ce),$e(f,ya,z),$e(f,va,Rt),$e(m,ro,Qt),$e(m,"top",ce),$e(m,ya,z),$e(m,va,Rt),$e(d,ya,ni),$e(d,va,di),h.width=Si(ni*Ae),h.height=Si(di*Ae),w.forEach(({_el:b,_show:E,_size:D,_pos:F,side:X})=>{if(b!=null)if(E){let K=X===3||X===0?D:0,ft=X%2==1;$e(b,ft?"left":"top",F-K),$e(b,ft?"width":"height",D),$e(b,ft?"top":"left",ft?ce:Qt),$e(b,ft?"height":"width",ft?Rt:z),Qu(b,vr)}else gn(b,vr)}),qr=Vs=Yr=W=tt=$=Z=At=C=null,Pt=1,ha(!0),Qt!=wt||ce!=Be||z!=Ht||Rt!=Zt){fe(!1);let b=z/Ht,E=Rt/Zt;if(st&&!rt&&nt.left>=0){nt.left*=b,nt.top*=E,$r&&os($r,Si(nt.left),0,z,Rt),Jr&&os(Jr,0,Si(nt.top),z,Rt);for(let D=0;D<he.length;D++){let F=he[D];F!=null&&(Xe[D]*=b,Ji[D]*=E,os(F,Cn(Xe[D]),Cn(Ji[D]),z,Rt))}}if(Ye.show&&!lt&&Ye.left>=0&&Ye.width>0){Ye.left*=b,Ye.width*=b,Ye.top*=E,Ye.height*=E;for(let D in Lu)$e(Qr,D,Ye[D])}wt=Qt,Be=ce,Ht=z,Zt=Rt}Pi("setSize"),vt=!1}ni>0&&di>0&&(u.clearRect(0,0,h.width,h.height),Pi("drawClear"),M.forEach(b=>b()),Pi("draw")),Ye.show&&lt&&(Cl(Ye),lt=!1),st&&rt&&(pr(null,!0,!1),rt=!1),ct.show&&ct.live&&xt&&(Iu(),xt=!1),l||(l=!0,i.status=1,Pi("ready")),zs=!1,ri=!1}i.redraw=(b,E)=>{bt=E||!1,b!==!1?Hs(S,R.min,R.max):Vi()};function Cu(b,E){let D=v[b];if(D.from==null){if(si==0){let F=D.range(i,E.min,E.max,b);E.min=F[0],E.max=F[1]}if(E.min>E.max){let F=E.min;E.min=E.max,E.max=F}if(si>1&&E.min!=null&&E.max!=null&&E.max-E.min<1e-16)return;b==S&&D.distr==2&&si>0&&(E.min=Vn(E.min,t[0]),E.max=Vn(E.max,t[0]),E.min==E.max&&E.max++),H[b]=E,ut=!0,Vi()}}i.setScale=Cu;let Ru,Pu,$r,Jr,ap,lp,Zr,Kr,cp,hp,qe,Ke,Gs=!1,ki=nt.drag,Ci=ki.x,Ri=ki.y;st&&(nt.x&&(Ru=En(Cx,m)),nt.y&&(Pu=En(Rx,m)),R.ori==0?($r=Ru,Jr=Pu):($r=Pu,Jr=Ru),qe=nt.left,Ke=nt.top);let Ye=i.select=_i({show:!0,over:!0,left:0,width:0,top:0,height:0},s.select),Qr=Ye.show?En(Ex,Ye.over?m:f):null;function Cl(b,E){if(Ye.show){for(let D in b)Ye[D]=b[D],D in Lu&&$e(Qr,D,b[D]);E!==!1&&Pi("setSelect")}}i.setSelect=Cl;function Z_(b){if(_[b].show)q&&Qu(Kt[b],vr);else if(q&&gn(Kt[b],vr),st){let D=Ct?he[0]:he[b];D!=null&&os(D,-10,-10,z,Rt)}}function Hs(b,E,D){Cu(b,{min:E,max:D})}function es(b,E,D,F){E.focus!=null&&ix(b),E.show!=null&&_.forEach((X,K)=>{K>0&&(b==K||b==null)&&(X.show=E.show,Z_(K),n==2?(Hs(X.facets[0].scale,null,null),Hs(X.facets[1].scale,null,null)):Hs(X.scale,null,null),Vi())}),D!==!1&&Pi("setSeries",b,E),F&&ua("setSeries",i,b,E)}i.setSeries=es;function K_(b,E){_i(A[b],E)}function Q_(b,E){b.fill=be(b.fill||null),b.dir=we(b.dir,-1),E=E??A.length,A.splice(E,0,b)}function tx(b){b==null?A.length=0:A.splice(b,1)}i.addBand=Q_,i.setBand=K_,i.delBand=tx;function ex(b,E){_[b].alpha=E,st&&he[b]!=null&&(he[b].style.opacity=E),q&&Kt[b]&&(Kt[b].style.opacity=E)}let bs,Ws,fr,to={focus:!0};function ix(b){if(b!=fr){let E=b==null,D=Bt.alpha!=1;_.forEach((F,X)=>{if(n==1||X>0){let K=E||X==0||X==b;F._focus=E?null:K,D&&ex(X,K?1:Bt.alpha)}}),fr=b,D&&Vi()}}q&&ie&&Se($p,at,b=>{nt._lock||(ee(b),fr!=null&&es(null,to,!0,gi.setSeries))});function is(b,E,D){let F=v[E];D&&(b=b/Ae-(F.ori==1?ce:Qt));let X=z;F.ori==1&&(X=Rt,b=X-b),F.dir==-1&&(b=X-b);let K=F._min,ft=F._max,_t=b/X,St=K+(ft-K)*_t,Lt=F.distr;return Lt==3?lo(10,St):Lt==4?qx(St,F.asinh):Lt==100?F.bwd(St):St}function nx(b,E){let D=is(b,S,E);return Vn(D,t[0],ci,hi)}i.valToIdx=b=>Vn(b,t[0]),i.posToIdx=nx,i.posToVal=is,i.valToPos=(b,E,D)=>v[E].ori==0?r(b,v[E],D?j:z,D?N:0):o(b,v[E],D?mt:Rt,D?T:0),i.setCursor=(b,E,D)=>{qe=b.left,Ke=b.top,pr(null,E,D)};function up(b,E){$e(Qr,ro,Ye.left=b),$e(Qr,ya,Ye.width=E)}function dp(b,E){$e(Qr,"top",Ye.top=b),$e(Qr,va,Ye.height=E)}let la=R.ori==0?up:dp,ca=R.ori==1?up:dp;function sx(){if(q&&ct.live)for(let b=n==2?1:0;b<_.length;b++){if(b==0&&de)continue;let E=ct.values[b],D=0;for(let F in E)kt[b][D++].firstChild.nodeValue=E[F]}}function Iu(b,E){if(b!=null&&(b.idxs?b.idxs.forEach((D,F)=>{Q[F]=D}):Jx(b.idx)||Q.fill(b.idx),ct.idx=Q[0]),q&&ct.live){for(let D=0;D<_.length;D++)(D>0||n==1&&!de)&&rx(D,Q[D]);sx()}xt=!1,E!==!1&&Pi("setLegend")}i.setLegend=Iu;function rx(b,E){let D=_[b],F=b==0&&U==2?dn:t[b],X;de?X=D.values(i,b,E)??ae:(X=D.value(i,E==null?null:F[E],b,E),X=X==null?ae:{_:X}),ct.values[b]=X}function pr(b,E,D){cp=qe,hp=Ke,[qe,Ke]=nt.move(i,qe,Ke),nt.left=qe,nt.top=Ke,st&&($r&&os($r,Si(qe),0,z,Rt),Jr&&os(Jr,0,Si(Ke),z,Rt));let F,X=ci>hi;bs=ze,Ws=null;let K=R.ori==0?z:Rt,ft=R.ori==1?z:Rt;if(qe<0||si==0||X){F=nt.idx=null;for(let _t=0;_t<_.length;_t++){let St=he[_t];St!=null&&os(St,-10,-10,z,Rt)}ie&&es(null,to,!0,b==null&&gi.setSeries),ct.live&&(Q.fill(F),xt=!0)}else{let _t,St,Lt;n==1&&(_t=R.ori==0?qe:Ke,St=is(_t,S),F=nt.idx=Vn(St,t[0],ci,hi),Lt=O(t[0][F],R,K,0));let Dt=-10,Ot=-10,le=0,Te=0,Me=!0,ye="",te="";for(let Yt=n==2?1:0;Yt<_.length;Yt++){let je=_[Yt],oi=Q[Yt],Ii=oi==null?null:n==1?t[Yt][oi]:t[Yt][1][oi],Oe=nt.dataIdx(i,Yt,F,St),ai=Oe==null?null:n==1?t[Yt][Oe]:t[Yt][1][Oe];if(xt=xt||ai!=Ii||Oe!=oi,Q[Yt]=Oe,Yt>0&&je.show){let fn=Oe==null?-10:Oe==F?Lt:O(n==1?t[0][Oe]:t[Yt][0][Oe],R,K,0),Ki=ai==null?-10:L(ai,n==1?v[je.scale]:v[je.facets[1].scale],ft,0);if(ie&&ai!=null){let Tn=R.ori==1?qe:Ke,kn=Mi(Bt.dist(i,Yt,Oe,Ki,Tn));if(kn<bs){let ns=Bt.bias;if(ns!=0){let pn=is(Tn,je.scale),An=ai>=0?1:-1,Bn=pn>=0?1:-1;Bn==An&&(Bn==1?ns==1?ai>=pn:ai<=pn:ns==1?ai<=pn:ai>=pn)&&(bs=kn,Ws=Yt)}else bs=kn,Ws=Yt}}if(xt||Ct){let Tn,kn;R.ori==0?(Tn=fn,kn=Ki):(Tn=Ki,kn=fn);let ns,pn,An,Bn,ss,Qi,mn=!0,mr=pt.bbox;if(mr!=null){mn=!1;let tn=mr(i,Yt);An=tn.left,Bn=tn.top,ns=tn.width,pn=tn.height}else An=Tn,Bn=kn,ns=pn=pt.size(i,Yt);if(Qi=pt.fill(i,Yt),ss=pt.stroke(i,Yt),Ct)Yt==Ws&&bs<=Bt.prox&&(Dt=An,Ot=Bn,le=ns,Te=pn,Me=mn,ye=Qi,te=ss);else{let tn=he[Yt];tn!=null&&(Xe[Yt]=An,Ji[Yt]=Bn,im(tn,ns,pn,mn),tm(tn,Qi,ss),os(tn,Cn(An),Cn(Bn),z,Rt))}}}}if(Ct){let Yt=Bt.prox,je=fr==null?bs<=Yt:bs>Yt||Ws!=fr;if(xt||je){let oi=he[0];oi!=null&&(Xe[0]=Dt,Ji[0]=Ot,im(oi,le,Te,Me),tm(oi,ye,te),os(oi,Cn(Dt),Cn(Ot),z,Rt))}}}if(Ye.show&&Gs)if(b!=null){let[_t,St]=gi.scales,[Lt,Dt]=gi.match,[Ot,le]=b.cursor.sync.scales,Te=b.cursor.drag;if(Ci=Te._x,Ri=Te._y,Ci||Ri){let{left:Me,top:ye,width:te,height:Yt}=b.select,je=b.scales[Ot].ori,oi=b.posToVal,Ii,Oe,ai,fn,Ki,Tn=_t!=null&&Lt(_t,Ot),kn=St!=null&&Dt(St,le);Tn&&Ci?(je==0?(Ii=Me,Oe=te):(Ii=ye,Oe=Yt),ai=v[_t],fn=O(oi(Ii,Ot),ai,K,0),Ki=O(oi(Ii+Oe,Ot),ai,K,0),la(Gn(fn,Ki),Mi(Ki-fn))):la(0,K),kn&&Ri?(je==1?(Ii=Me,Oe=te):(Ii=ye,Oe=Yt),ai=v[St],fn=L(oi(Ii,le),ai,ft,0),Ki=L(oi(Ii+Oe,le),ai,ft,0),ca(Gn(fn,Ki),Mi(Ki-fn))):ca(0,ft)}else Du()}else{let _t=Mi(cp-ap),St=Mi(hp-lp);if(R.ori==1){let le=_t;_t=St,St=le}Ci=ki.x&&_t>=ki.dist,Ri=ki.y&&St>=ki.dist;let Lt=ki.uni;Lt!=null?Ci&&Ri&&(Ci=_t>=Lt,Ri=St>=Lt,!Ci&&!Ri&&(St>_t?Ri=!0:Ci=!0)):ki.x&&ki.y&&(Ci||Ri)&&(Ci=Ri=!0);let Dt,Ot;Ci&&(R.ori==0?(Dt=Zr,Ot=qe):(Dt=Kr,Ot=Ke),la(Gn(Dt,Ot),Mi(Ot-Dt)),Ri||ca(0,ft)),Ri&&(R.ori==1?(Dt=Zr,Ot=qe):(Dt=Kr,Ot=Ke),ca(Gn(Dt,Ot),Mi(Ot-Dt)),Ci||la(0,K)),!Ci&&!Ri&&(la(0,0),ca(0,0))}if(ki._x=Ci,ki._y=Ri,b==null){if(D){if(Mp!=null){let[_t,St]=gi.scales;gi.values[0]=_t!=null?is(R.ori==0?qe:Ke,_t):null,gi.values[1]=St!=null?is(R.ori==1?qe:Ke,St):null}ua(Xu,i,qe,Ke,z,Rt,F)}if(ie){let _t=D&&gi.setSeries,St=Bt.prox;fr==null?bs<=St&&es(Ws,to,!0,_t):bs>St?es(null,to,!0,_t):Ws!=fr&&es(Ws,to,!0,_t)}}xt&&(ct.idx=F,Iu()),E!==!1&&Pi("setCursor")}let Xs=null;Object.defineProperty(i,"rect",{get(){return Xs==null&&ha(!1),Xs}});function ha(b=!1){b?Xs=null:(Xs=m.getBoundingClientRect(),Pi("syncRect",Xs))}function fp(b,E,D,F,X,K,ft){nt._lock||Gs&&b!=null&&b.movementX==0&&b.movementY==0||(Nu(b,E,D,F,X,K,ft,!1,b!=null),b!=null?pr(null,!0,!0):pr(E,!0,!1))}function Nu(b,E,D,F,X,K,ft,_t,St){if(Xs==null&&ha(!1),ee(b),b!=null)D=b.clientX-Xs.left,F=b.clientY-Xs.top;else{if(D<0||F<0){qe=-10,Ke=-10;return}let[Lt,Dt]=gi.scales,Ot=E.cursor.sync,[le,Te]=Ot.values,[Me,ye]=Ot.scales,[te,Yt]=gi.match,je=E.axes[0].side%2==1,oi=R.ori==0?z:Rt,Ii=R.ori==1?z:Rt,Oe=je?K:X,ai=je?X:K,fn=je?F:D,Ki=je?D:F;if(Me!=null?D=te(Lt,Me)?a(le,v[Lt],oi,0):-10:D=oi*(fn/Oe),ye!=null?F=Yt(Dt,ye)?a(Te,v[Dt],Ii,0):-10:F=Ii*(Ki/ai),R.ori==1){let Tn=D;D=F,F=Tn}}St&&(E==null||E.cursor.event.type==Xu)&&((D<=1||D>=z-1)&&(D=xr(D,z)),(F<=1||F>=Rt-1)&&(F=xr(F,Rt))),_t?(ap=D,lp=F,[Zr,Kr]=nt.move(i,D,F)):(qe=D,Ke=F)}let Lu={width:0,height:0,left:0,top:0};function Du(){Cl(Lu,!1)}let pp,mp,gp,_p;function xp(b,E,D,F,X,K,ft){Gs=!0,Ci=Ri=ki._x=ki._y=!1,Nu(b,E,D,F,X,K,ft,!0,!1),b!=null&&(Se(qu,Zu,yp,!1),ua(Yp,i,Zr,Kr,z,Rt,null));let{left:_t,top:St,width:Lt,height:Dt}=Ye;pp=_t,mp=St,gp=Lt,_p=Dt}function yp(b,E,D,F,X,K,ft){Gs=ki._x=ki._y=!1,Nu(b,E,D,F,X,K,ft,!1,!0);let{left:_t,top:St,width:Lt,height:Dt}=Ye,Ot=Lt>0||Dt>0,le=pp!=_t||mp!=St||gp!=Lt||_p!=Dt;if(Ot&&le&&Cl(Ye),ki.setScale&&Ot&&le){let Te=_t,Me=Lt,ye=St,te=Dt;if(R.ori==1&&(Te=St,Me=Dt,ye=_t,te=Lt),Ci&&Hs(S,is(Te,S),is(Te+Me,S)),Ri)for(let Yt in v){let je=v[Yt];Yt!=S&&je.from==null&&je.min!=ze&&Hs(Yt,is(ye+te,Yt),is(ye,Yt))}Du()}else nt.lock&&(nt._lock=!nt._lock,pr(E,!0,b!=null));b!=null&&(vi(qu,Zu),ua(qu,i,qe,Ke,z,Rt,null))}function ox(b,E,D,F,X,K,ft){if(nt._lock)return;ee(b);let _t=Gs;if(Gs){let St=!0,Lt=!0,Dt=10,Ot,le;R.ori==0?(Ot=Ci,le=Ri):(Ot=Ri,le=Ci),Ot&&le&&(St=qe<=Dt||qe>=z-Dt,Lt=Ke<=Dt||Ke>=Rt-Dt),Ot&&St&&(qe=qe<Zr?0:z),le&&Lt&&(Ke=Ke<Kr?0:Rt),pr(null,!0,!0),Gs=!1}qe=-10,Ke=-10,Q.fill(null),pr(null,!0,!0),_t&&(Gs=_t)}function vp(b,E,D,F,X,K,ft){nt._lock||(ee(b),aa(),Du(),b!=null&&ua(Jp,i,qe,Ke,z,Rt,null))}function bp(){w.forEach(dv),B(i.width,i.height,!0)}br(ql,ao,bp);let eo={};eo.mousedown=xp,eo.mousemove=fp,eo.mouseup=yp,eo.dblclick=vp,eo.setSeries=(b,E,D,F)=>{let X=gi.match[2];D=X(i,E,D),D!=-1&&es(D,F,!0,!1)},st&&(Se(Yp,m,xp),Se(Xu,m,fp),Se(jp,m,b=>{ee(b),ha(!1)}),Se($p,m,ox),Se(Jp,m,vp),rd.add(i),i.syncRect=ha);let Rl=i.hooks=s.hooks||{};function Pi(b,E,D){Zi?Ne.push([b,E,D]):b in Rl&&Rl[b].forEach(F=>{F.call(null,i,E,D)})}(s.plugins||[]).forEach(b=>{for(let E in b.hooks)Rl[E]=(Rl[E]||[]).concat(b.hooks[E])});let Sp=(b,E,D)=>D,gi=_i({key:null,setSeries:!1,filters:{pub:am,sub:am},scales:[S,_[1]?_[1].scale:null],match:[lm,lm,Sp],values:[null,null]},nt.sync);gi.match.length==2&&gi.match.push(Sp),nt.sync=gi;let Mp=gi.key,Uu=sg(Mp);function ua(b,E,D,F,X,K,ft){gi.filters.pub(b,E,D,F,X,K,ft)&&Uu.pub(b,E,D,F,X,K,ft)}Uu.sub(i);function ax(b,E,D,F,X,K,ft){gi.filters.sub(b,E,D,F,X,K,ft)&&eo[b](null,E,D,F,X,K,ft)}i.pub=ax;function lx(){Uu.unsub(i),rd.delete(i),Ei.clear(),td(ql,ao,bp),c.remove(),at?.remove(),Pi("destroy")}i.destroy=lx;function Fu(){Pi("init",s,t),oa(t||s.data,!1),H[S]?Cu(S,H[S]):aa(),lt=Ye.show&&(Ye.width>0||Ye.height>0),rt=xt=!0,B(s.width,s.height)}return _.forEach(Xr),w.forEach(_s),e?e instanceof HTMLElement?(e.appendChild(c),Fu()):e(i,Fu):Fu(),i}Ni.assign=_i;Ni.fmtNum=dd;Ni.rangeNum=Yl;Ni.rangeLog=Jl;Ni.rangeAsinh=hd;Ni.orient=Mr;Ni.pxRatio=Ae;Ni.join=ny;Ni.fmtDate=pd,Ni.tzDate=py;Ni.sync=sg;{Ni.addGap=Jy,Ni.clipGaps=Ql;let s=Ni.paths={points:hg};s.linear=dg,s.stepped=Qy,s.bars=tv,s.spline=iv}var fv=Ni.sync("time"),pv=700,mv=1,yn=class{constructor({title:t,unit:e,lines:i,bands:n=()=>[],timeline:r,store:o,legend:a=!1,least:l=.001}){Object.assign(this,{title:t,unit:e,lines:i,bands:n,timeline:r,store:o,least:l}),this.fitBands=!1,this.heading=dt("h2",{},t),this.unitText=dt("span",{class:"unit"}),this.legend=a?dt("ul",{class:"legend"}):null,this.box=dt("div",{class:"plot-box"}),this.root=dt("section",{class:"plot","aria-label":t},dt("header",{},this.heading,this.unitText,...this.legend?[this.legend]:[]),this.box),this.size={width:0,height:0},new ResizeObserver(([c])=>this.#t(c.contentRect)).observe(this.box),this.hidden=new Set,this.points=0}setTitle(t){this.heading.textContent!==t&&(this.heading.textContent=t,this.root.setAttribute("aria-label",t))}rebuild(){this.stale=!0}#t({width:t,height:e}){this.size={width:Math.floor(t),height:Math.floor(e)},this.u&&t>0&&this.u.setSize(this.size),this.timeline.changed()}#e(){this.stale=!1,this.shown=this.lines(),this.unitText.textContent=this.unit()?`[${this.unit()}]`:"",this.legend&&this.#i(),this.u?.destroy();let t=We(),e={stroke:t.soft,font:"11px system-ui, sans-serif",grid:{stroke:t.line,width:1},ticks:{stroke:t.line,width:1,size:4}};this.u=new Ni({...this.size,legend:{show:!1},padding:[8,10,0,0],cursor:{sync:{key:fv.key,setSeries:!1},points:{show:!1},y:!1,drag:{x:!0,y:!1,setScale:!1},bind:{dblclick:()=>()=>this.timeline.setSpan(10)}},scales:{x:{time:!1,range:()=>this.xRange},y:{range:()=>this.yRange}},axes:[{...e,size:26,gap:2,values:(i,n)=>n.map(r=>`${li(r)} s`)},{...e,size:54,gap:3,values:(i,n)=>n.map(r=>li(r))}],series:[{},...this.shown.map(i=>({stroke:i.colour,width:i.width??1.25,dash:i.dash?.length?i.dash:void 0,points:{show:!1},pxAlign:0,show:!this.hidden.has(i.label)}))],hooks:{drawClear:[i=>this.#d(i)],draw:[i=>this.#f(i)],setCursor:[i=>this.#s(i)],setSelect:[i=>this.#o(i)]}},[[0],...this.shown.map(()=>[null])],this.box),this.u.over.addEventListener("click",i=>this.#l(i)),this.u.over.addEventListener("wheel",i=>this.#a(i),{passive:!1})}#i(){this.legend.replaceChildren(...this.shown.map(t=>{let e=dt("span",{class:"swatch"});e.style.background=t.colour;let i=dt("button",{type:"button","aria-pressed":String(!this.hidden.has(t.label)),onclick:()=>this.#r(t.label)},e,t.label);return dt("li",{},i)}))}#r(t){this.hidden.delete(t)||this.hidden.add(t),this.rebuild(),this.timeline.changed()}#n(t,e){return t.posToVal(e,"x")+this.timeline.now}#s(t){t.over.matches(":hover")&&(this.timeline.hover=t.cursor.left>=0?this.#n(t,t.cursor.left):null)}#o(t){let{left:e,width:i}=t.select;i>5&&t.over.matches(":hover")&&(this.timeline.window(this.#n(t,e),this.#n(t,e+i)),this.dragged=!0),t.setSelect({left:0,width:0,top:0,height:0},!1)}#l(t){!this.dragged&&!this.timeline.live&&this.timeline.seek(this.#n(this.u,t.offsetX)),this.dragged=!1}#a(t){if(!t.ctrlKey&&!t.shiftKey)return;t.preventDefault();let e=(t.deltaY||t.deltaX)>0?1.25:.8;this.timeline.setSpan(this.timeline.span*e,this.#n(this.u,t.offsetX))}draw(){if(this.size.width===0)return;(this.stale||!this.u)&&this.#e();let{timeline:t}=this,e=this.#c();this.xRange=[t.start-t.now,t.end-t.now],this.xRange.every(Number.isFinite)||(this.xRange=[-t.span,0]),this.yRange=this.#h(e),this.points=e[0].length,this.u.setData(e)}#c(){let{history:t}=this.store;if(!t||t.length===0)return[[0],...this.shown.map(()=>[null])];let[e,i]=t.rows(this.timeline.start,this.timeline.end),n=Math.max(1,Math.ceil((i-e)/(pv/2))),r=n>2?yv(t.times,e,i,n):gv(t.times,e,i),o=this.timeline.now,a=[r.map(l=>l-o)];for(let l of this.shown){let c=l.values?xv(l.values,e,i):t.data[l.column],h=l.values?e:0;a.push(n>2?vv(c,e-h,i-h,n):_v(c,e-h,i-h))}return bv(a),a}#h(t){let e=1/0,i=-1/0;t.slice(1).forEach((c,h)=>{if(!this.hidden.has(this.shown[h].label))for(let u of c)u!==null&&u<e&&(e=u),u!==null&&u>i&&(i=u)});for(let c of this.bands())!this.fitBands&&!c.always||(Number.isFinite(c.low)&&(e=Math.min(e,c.low)),Number.isFinite(c.high)&&(i=Math.max(i,c.high)));if(!(e<=i))return[-1,1];let n=e>=0&&i>0,r=Math.max(i-e,this.least),o=Pp(r/4),a=(e+i)/2;e=Math.min(e,a-r/2),i=Math.max(i,a+r/2);let l=Math.floor(e/o-.15)*o;return[n?Math.max(l,0):l,Math.ceil(i/o+.15)*o]}#d(t){let{ctx:e,bbox:i}=t;for(let n of this.bands())e.save(),e.beginPath(),e.rect(i.left,i.top,i.width,i.height),e.clip(),e.fillStyle=We().band,e.strokeStyle=n.colour??We().bad,e.lineWidth=devicePixelRatio,e.setLineDash([5*devicePixelRatio,4*devicePixelRatio]),this.#u(t,n.high,-1),this.#u(t,n.low,1),e.restore()}#u(t,e,i){if(!Number.isFinite(e))return;let{ctx:n,bbox:r}=t,o=Math.min(Math.max(t.valToPos(e,"y",!0),-1e5),1e5),a=i<0?r.top:r.top+r.height;i*(a-o)<=0||(n.fillRect(r.left,Math.min(o,a),r.width,Math.abs(a-o)),n.beginPath(),n.moveTo(r.left,o),n.lineTo(r.left+r.width,o),n.stroke())}#f(t){let{timeline:e}=this;if(e.live)return;let{ctx:i,bbox:n}=t,r=t.valToPos(e.head-e.now,"x",!0);r>=n.left&&r<=n.left+n.width&&(i.save(),i.strokeStyle=We().accent,i.setLineDash([]),i.lineWidth=1.5*devicePixelRatio,i.beginPath(),i.moveTo(r,n.top),i.lineTo(r,n.top+n.height),i.stroke(),i.restore())}get canvas(){return this.u?.ctx.canvas??null}},gv=(s,t,e)=>Array.from(s.subarray(t,e));function _v(s,t,e){let i=new Array(e-t);for(let n=t;n<e;n++)i[n-t]=Number.isFinite(s[n])?s[n]:null;return i}function xv(s,t,e){let i=new Float64Array(e-t);for(let n=t;n<e;n++)i[n-t]=s(n);return i}function yv(s,t,e,i){let n=[];for(let r=t;r<e;r+=i){let o=Math.min(r+i,e)-1;n.push(s[r],o>r?(s[r]+s[o])/2:s[r]+1e-6)}return n}function vv(s,t,e,i){let n=[];for(let r=t;r<e;r+=i){let o=-1,a=-1;for(let l=r;l<Math.min(r+i,e);l++)Number.isFinite(s[l])&&((o<0||s[l]<s[o])&&(o=l),(a<0||s[l]>s[a])&&(a=l));o<0?n.push(null,null):n.push(s[Math.min(o,a)],s[Math.max(o,a)])}return n}function bv(s){let t=s[0];for(let e=t.length-1;e>0;e--){if(t[e]-t[e-1]<=mv)continue;let i=(t[e]+t[e-1])/2;s.forEach((n,r)=>n.splice(e,0,r===0?i:null))}}var nc=class{id="contact";title="Contact";constructor(t){this.app=t;let{store:e,timeline:i}=t;this.residual=new yn({store:e,timeline:i,title:"External torque, observed",least:.5,unit:()=>ga(t,"residual"),lines:()=>zl(t,"residual"),bands:()=>_a(t)}),this.largest=new yn({store:e,timeline:i,title:"Largest of all joints",least:.5,unit:()=>ga(t,"residual"),lines:()=>[{label:"largest",colour:We().bad,width:1.6,values:n=>this.#t(n)}],bands:()=>_a(t).map(n=>({...n,low:NaN}))}),this.plots=[this.residual,this.largest],this.verdict=dt("p",{class:"verdict",role:"status"},"No word from the observer yet"),this.facts=dt("dl",{class:"facts tall"}),this.values=Object.fromEntries(["Threshold","Largest","Joints above","Frame","Force","Force in all","Torque"].map(n=>[n,Gi(this.facts,n)])),this.root=dt("div",{class:"split"},dt("div",{class:"plots one"},...this.plots.map(n=>n.root)),dt("div",{class:"side",tabindex:0,role:"group","aria-label":"Contact now"},this.verdict,dt("h2",{},"Now"),this.facts))}#t(t){let{store:e}=this.app,i=NaN;for(let n=0;n<e.joints.length;n++){let r=Math.abs(e.history.data[e.column("residual",n)][t]);r<=i||(i=Number.isNaN(r)?i:r)}return i}rebuild(){this.plots.forEach(t=>t.rebuild())}draw(){this.plots.forEach(r=>r.draw());let{store:t,timeline:e}=this.app;if(!t.history)return;let i=t.history.rowAt(e.reading),n=t.joints.map((r,o)=>Math.abs(t.at("residual",o,i)));this.#e(n),this.#i(t.message("external_wrench",e.reading))}#e(t){let{threshold:e,joints:i}=this.app.store,n=t.filter(Number.isFinite),r=n.length?Math.max(...n):NaN,o=e===null?[]:i.filter((c,h)=>t[h]>e).map(c=>c.name),a=this.values;Wt(a.Threshold,e===null?"none (observer_threshold)":da(e,"N m")),Wt(a.Largest,`${li(r,3)} N m`),Wt(a["Joints above"],o.join(", ")||"none");let l=Number.isNaN(r)?"No word from the observer":e===null?"No threshold is set":o.length?"Contact":"No contact";Wt(this.verdict,l),this.verdict.classList.toggle("bad",o.length>0)}#i(t){let e=this.values,i=(n,r)=>n?`${n.map(o=>ei(o??NaN,2)).join(", ")} ${r}`:"\u2013";Wt(e.Frame,t?t.frame:"\u2013"),Wt(e.Force,i(t?.force,"N")),Wt(e["Force in all"],t?da(Math.hypot(...t.force),"N",3):"\u2013"),Wt(e.Torque,i(t?.torque,"N m"))}get pictures(){return this.plots.map(t=>({title:`${t.heading.textContent} ${t.unitText.textContent}`,canvas:t.canvas}))}};var sc=class{id="energy";title="Energy";constructor(t){this.app=t;let{store:e,timeline:i}=t,n=(o,a,l)=>({label:o,colour:rs(l),width:1.6,column:e.scalar(a)}),r=o=>e.history.data[e.scalar("kinetic_energy")][o]+e.history.data[e.scalar("potential_energy")][o];this.energy=new yn({store:e,timeline:i,title:"Energy",unit:()=>"J",least:.1,legend:!0,lines:()=>[n("kinetic","kinetic_energy",0),n("potential","potential_energy",4),{label:"sum",colour:We().text,width:1.6,dash:[6,3],values:r}]}),this.power=new yn({store:e,timeline:i,title:"Power of the joint torques",unit:()=>"W",least:.1,lines:()=>[n("power","power",1)]}),this.plots=[this.energy,this.power],this.facts=dt("dl",{class:"facts tall"}),this.values=Object.fromEntries(["Mass","Centre of mass","Its velocity","Momentum, linear","Momentum, angular","Gravity"].map(o=>[o,Gi(this.facts,o)])),this.links=dt("table",{class:"plain"}),this.root=dt("div",{class:"split"},dt("div",{class:"plots one"},...this.plots.map(o=>o.root)),dt("div",{class:"side",tabindex:0,role:"group","aria-label":"Whole robot"},dt("h2",{},"Whole robot"),this.facts,dt("h2",{},"Effective mass of links"),dt("p",{class:"soft"},"What a push at a link feels, joints free."),this.links))}rebuild(){this.plots.forEach(t=>t.rebuild()),this.linkCells=null}draw(){this.plots.forEach(e=>e.draw());let t=this.app.store.message("summary",this.app.timeline.reading);t&&this.#t(t)}#t(t){let e=(n,r)=>n?`${n.map(o=>ei(o??NaN,3)).join(", ")} ${r}`:"\u2013",i=this.values;Wt(i.Mass,da(t.mass??NaN,"kg")),Wt(i["Centre of mass"],e(t.center_of_mass,"m")),Wt(i["Its velocity"],e(t.com_velocity,"m/s")),Wt(i["Momentum, linear"],e(t.linear_momentum,"kg m/s")),Wt(i["Momentum, angular"],e(t.angular_momentum,"kg m\xB2/s")),Wt(i.Gravity,e(t.gravity,"m/s\xB2")),this.#e(t.links??[],t.effective_mass??[])}#e(t,e){let i=t.join(`
`);(!this.linkCells||this.linkKey!==i)&&(this.linkKey=i,this.linkCells=t.map(()=>dt("td",{class:"number"})),this.links.replaceChildren(...t.map((n,r)=>dt("tr",{},dt("th",{scope:"row"},n),this.linkCells[r])))),this.linkCells.forEach((n,r)=>Wt(n,e[r]===null?"fixed":`${li(e[r],3)} kg`))}get pictures(){return this.plots.map(t=>({title:`${t.heading.textContent} ${t.unitText.textContent}`,canvas:t.canvas}))}};function go(s,t,e,i,n,r){let o=[];for(let a=0;a<n;a++)for(let l=0;l<r;l++)o.push(s[(e+a)*t+i+l]);return o}function Sd(s,t){let e=s.length/t,i=new Array(t*t).fill(0);for(let n=0;n<t;n++)for(let r=0;r<t;r++)for(let o=0;o<e;o++)i[n*t+r]+=s[n*e+o]*s[r*e+o];return i}function rc(s,t,e,i){let n=t.length/i,r=new Array(e*n).fill(0);for(let o=0;o<e;o++)for(let a=0;a<i;a++)for(let l=0;l<n;l++)r[o*n+l]+=s[o*i+a]*t[a*n+l];return r}function gg(s,t){let e=s.length/t;return Array.from({length:s.length},(i,n)=>s[n%t*e+Math.floor(n/t)])}function oc(s,t){let e=s.slice(),i=Array.from({length:t*t},(r,o)=>o%(t+1)===0?1:0);for(let r=0;r<30&&Sv(e,t)>1e-14;r++)for(let o=0;o<t;o++)for(let a=o+1;a<t;a++)Mv(e,i,t,o,a);let n=[...Array(t).keys()].sort((r,o)=>e[r*t+r]-e[o*t+o]);return{values:n.map(r=>e[r*t+r]),vectors:n.map(r=>Array.from({length:t},(o,a)=>i[a*t+r]))}}function Sv(s,t){let e=0,i=0;for(let n=0;n<t;n++)for(let r=0;r<t;r++){let o=s[n*t+r]**2;i+=o,n!==r&&(e+=o)}return i>0?Math.sqrt(e/i):0}function Mv(s,t,e,i,n){let r=s[i*e+n];if(r===0)return;let o=(s[n*e+n]-s[i*e+i])/(2*r),a=(o<0?-1:1)/(Math.abs(o)+Math.sqrt(o*o+1)),l=1/Math.sqrt(a*a+1),c=a*l;for(let h=0;h<e;h++)bd(s,h*e+i,h*e+n,l,c);for(let h=0;h<e;h++)bd(s,i*e+h,n*e+h,l,c);for(let h=0;h<e;h++)bd(t,h*e+i,h*e+n,l,c)}function bd(s,t,e,i,n){let r=s[t],o=s[e];s[t]=i*r-n*o,s[e]=n*r+i*o}var _g=0,xg=1;function yg(s){let[t,e,i]=s;return[1,0,0,0,i,-e,0,1,0,-i,0,t,0,0,1,e,-t,0,0,0,0,1,0,0,0,0,0,0,1,0,0,0,0,0,0,1]}function Md(s,t){let{rows:e,cols:i,data:n,reference:r}=s;if(e!==6||n.some(d=>d===null))return null;let o=r===xg?rc(yg(t),n,6,6):n,a=go(o,i,0,0,3,i),{values:l,vectors:c}=oc(Sd(a,3),3),h=l.map(d=>Math.sqrt(Math.max(d,0))),u=oc(Sd(o,6),6).values.map(d=>Math.sqrt(Math.max(d,0)));return{lengths:h,vectors:c,local:r===_g,measure:h[0]*h[1]*h[2],measure6:u.reduce((d,f)=>d*f,1),condition:u[0]>1e-12*u[5]?u[5]/u[0]:1/0}}function wd(s,t,e){let i=s.frames.indexOf(t),{cols:n,compliance:r,reference:o}=s;if(i<0||!r||r.length!==n*n)return null;let a=go(r,n,6*i,6*i,6,6);if(a.some(u=>u===null))return null;if(o===xg){let u=yg(e);a=rc(rc(u,a,6,6),gg(u,6),6,6)}let{values:l,vectors:c}=oc(go(a,6,0,0,3,3),3),h=l.map(u=>u>1e-12?1/u:1/0);return{lengths:h.map(Math.sqrt),vectors:c,masses:h,local:o===_g}}var ac="system-ui, sans-serif",wr=class{constructor({title:t,describe:e}){this.describe=e,this.cell=null,this.logarithmic=!1,this.canvas=dt("canvas",{tabindex:0,role:"img","aria-label":`${t}. Arrow keys go from number to number.`,onpointermove:i=>this.#a(i),onpointerleave:()=>this.#c(),onkeydown:i=>this.#h(i),onpointerdown:i=>this.#a(i)}),this.ctx=this.canvas.getContext("2d",{willReadFrequently:!0}),this.box=dt("div",{class:"matrix-box"},this.canvas),this.reading=dt("p",{class:"reading","aria-live":"polite"}),this.root=dt("div",{class:"matrix"},this.box,this.reading),this.size={width:0,height:0},new ResizeObserver(([i])=>this.#t(i.contentRect)).observe(this.box)}#t({width:t,height:e}){this.size={width:t,height:e},this.draw()}set(t){this.matrix=t,this.draw()}#e(t,e){let{rowNames:i,colNames:n}=this.matrix,{ctx:r}=this,o=m=>Math.max(...m.map(x=>r.measureText(x).width));r.font=`11px ${ac}`;let a=Math.min(o(i)+10,t*.3),l=Math.min(o(n)*.75+12,e*.3),c=(t-a)/n.length>=o(n)+6,h=c?20:l,u=c?4:l*.7,d=Math.min((t-a-u)/n.length,(e-h-4)/i.length),f=Math.min((t-a-u)/n.length,d*2.2);return{left:a,top:h,cw:f,ch:Math.min(d,64),flat:c}}#i(){let t=this.matrix.data.filter(e=>Number.isFinite(e)&&e!==0).map(Math.abs);this.most=Math.max(...t,1e-300),this.least=Math.max(Math.min(...t,this.most),this.most*1e-5)}strength(t){if(!Number.isFinite(t)||t===0)return 0;let e=Math.abs(t);if(!this.logarithmic)return t/this.most;let i=Math.log(this.most/this.least)||1,n=Math.max(0,Math.log(e/this.least)/i);return Math.sign(t)*(.12+.88*n)}draw(){let{width:t,height:e}=this.size;if(!t||!e)return;let i=window.devicePixelRatio;(this.canvas.width!==Math.round(t*i)||this.canvas.height!==Math.round(e*i))&&(this.canvas.width=Math.round(t*i),this.canvas.height=Math.round(e*i));let{ctx:n}=this;if(n.setTransform(i,0,0,i,0,0),n.clearRect(0,0,t,e),!this.matrix||this.matrix.data.length===0){this.#r(n,t,e);return}this.#i(),this.place=this.#e(t,e),this.#n(n),this.#s(n),this.#o(n),this.#l()}#r(t,e,i){t.fillStyle=We().soft,t.font=`13px ${ac}`,t.textAlign="center",t.fillText("Nothing yet",e/2,i/2),this.place=null,this.reading.textContent=""}#n(t){let{left:e,top:i,cw:n,ch:r}=this.place,{data:o,colNames:a,rowNames:l}=this.matrix,c=a.length,h=n>=40&&r>=15,u=Tv();t.textAlign="center",t.textBaseline="middle",t.font=`${Math.min(12,r*.6,n/4.2)}px ${ac}`;let d=n>8?1:0,f=h?wv(t,o,this.most,n-6):null;for(let m=0;m<l.length;m++)for(let x=0;x<c;x++){let g=o[m*c+x],p=this.strength(g);t.fillStyle=u.fill(p),t.fillRect(e+x*n,i+m*r,n-d,r-d),h&&(t.fillStyle=u.ink(p),t.fillText(f===null?li(g,2):ei(g,f),e+(x+.5)*n,i+(m+.5)*r))}}#s(t){let{left:e,top:i,cw:n,ch:r,flat:o}=this.place,{rowNames:a,colNames:l}=this.matrix;t.font=`11px ${ac}`,t.textBaseline="middle";let c=Math.ceil(12/r);a.forEach((u,d)=>{t.fillStyle=this.cell?.[0]===d?We().accent:We().soft,t.textAlign="right",(d%c===0||this.cell?.[0]===d)&&t.fillText(u,e-6,i+(d+.5)*r,e-6)});let h=o?1:Math.ceil(16/n);l.forEach((u,d)=>{d%h!==0&&this.cell?.[1]!==d||(t.fillStyle=this.cell?.[1]===d?We().accent:We().soft,t.save(),t.translate(e+(d+.5)*n,i-8),o||t.rotate(-Math.PI/4),t.textAlign=o?"center":"left",t.fillText(u,0,0),t.restore())})}#o(t){if(!this.cell)return;let{left:e,top:i,cw:n,ch:r}=this.place;t.strokeStyle=We().text,t.lineWidth=2,t.strokeRect(e+this.cell[1]*n,i+this.cell[0]*r,n-1,r-1)}#l(){let{data:t,colNames:e,rowNames:i}=this.matrix;if(!this.cell||this.cell[0]>=i.length||this.cell[1]>=e.length){this.cell=null,this.reading.textContent="";return}let[n,r]=this.cell;this.reading.textContent=this.describe(n,r,t[n*e.length+r],this.matrix)}#a(t){if(!this.place)return;let{left:e,top:i,cw:n,ch:r}=this.place,o=Math.floor((t.offsetX-e)/n),a=Math.floor((t.offsetY-i)/r),l=a>=0&&o>=0&&a<this.matrix.rowNames.length&&o<this.matrix.colNames.length;this.cell=l?[a,o]:null,this.draw()}#c(){document.activeElement!==this.canvas&&(this.cell=null,this.draw())}#h(t){let i={ArrowLeft:[0,-1],ArrowRight:[0,1],ArrowUp:[-1,0],ArrowDown:[1,0]}[t.key];if(!i||!this.matrix)return;let[n,r]=this.cell??[0,0],o=(a,l)=>Math.min(Math.max(a,0),l-1);this.cell=this.cell?[o(n+i[0],this.matrix.rowNames.length),o(r+i[1],this.matrix.colNames.length)]:[0,0],t.preventDefault(),t.stopPropagation(),this.draw()}};function wv(s,t,e,i){let n=Math.floor(Math.log10(e));if(n<-3||n>6)return null;for(let r=Math.max(0,3-n);r>=0;r--)if(Math.max(...t.map(o=>s.measureText(ei(o,r)).width))<=i)return r;return null}function Tv(){let[s,t,e]=["negative","zero","positive"].map(r=>Av(We()[r])),i=r=>.299*r[0]+.587*r[1]+.114*r[2],n=r=>{let o=r<0?s:e,a=Math.min(Math.abs(r),1)**.7;return t.map((l,c)=>Math.round(l+(o[c]-l)*a))};return{fill:r=>`rgb(${n(r).join()})`,ink:r=>i(n(r))>140?"#111820":"#f4f7fa"}}function Av(s){let t=Number.parseInt(s.slice(1),16);return[t>>16,t>>8&255,t&255]}var Ev=["axes of the frame","world, at its origin","axes of the world"],Cv=[["kg","kg m"],["kg m","kg m\xB2"]],lc=class{id="frame";title="Frame";constructor(t){this.app=t,this.#t(),this.#e(),this.jacobian=new wr({title:"Jacobian",describe:(i,n,r,o)=>`J(${o.rowNames[i]}, ${o.colNames[n]}) = ${li(r,7)} ${this.#r(i,n)}`}),this.inertia=new wr({title:"Operational-space inertia",describe:(i,n,r,o)=>`\u039B(${o.rowNames[i]}, ${o.colNames[n]}) = ${li(r,7)} ${Cv[i>2?1:0][n>2?1:0]}`});let e=(i,...n)=>dt("section",{class:"part"},dt("h2",{},i),...n);this.jacobianPart=e("Jacobian",this.jacobian.root),this.root=dt("div",{class:"column scroll"},this.controls,this.jacobianPart,dt("div",{class:"pair"},e("Operational-space inertia \u039B",this.inertia.root),e("At this frame",this.facts)))}#t(){let{choice:t}=this.app;this.frames=dt("select",{id:"frame",onchange:()=>this.#i(this.frames.value,t.ellipsoid)}),this.shapes=dt("select",{id:"ellipsoid",onchange:()=>this.#i(t.frame,this.shapes.value)}),gr(this.shapes,["none","manipulability","mass"],["none","manipulability: how fast","effective mass: how heavy"]),this.reference=dt("span",{class:"soft"}),this.controls=dt("header",{class:"line"},dt("label",{},"Frame ",this.frames),dt("label",{},"Ellipsoid ",this.shapes),this.reference)}#e(){this.facts=dt("dl",{class:"facts tall"}),this.measure=Gi(this.facts,"Manipulability, linear"),this.measure6=Gi(this.facts,"Manipulability, all six"),this.condition=Gi(this.facts,"Condition of J"),this.speeds=Gi(this.facts,"Semi-axes of velocity"),this.masses=Gi(this.facts,"Effective masses"),this.rank=Gi(this.facts,"Directions that move"),this.bias=Gi(this.facts,"Bias J\u0307 v, linear")}#i(t,e){this.app.choice.frame=t,this.app.choice.ellipsoid=e,this.app.choice.changed()}#r(t,e){let i=this.app.store.joints[e]?.unit==="m";return t<3?i?"":"m":i?"1/m":""}rebuild(){let{store:t,choice:e}=this.app,i=t.model?.frames??[];gr(this.frames,i),i.includes(e.frame)||(e.frame=i[0]??""),this.frames.value=e.frame,this.shapes.value=e.ellipsoid,this.last=null}shape(t,e){let{store:i,choice:n,timeline:r}=this.app;if(t==="manipulability"){let a=i.message(`jacobian:${n.frame}`,r.head);return a&&e?Md(a,e):null}let o=i.message("operational_space_inertia",r.head);return t==="mass"&&o&&e?wd(o,n.frame,e):null}draw(){let{store:t,choice:e,timeline:i}=this.app,n=t.message(`jacobian:${e.frame}`,i.head),r=t.message("operational_space_inertia",i.head);this.last?.[0]===n&&this.last?.[1]===r&&this.jacobian.place||(this.last=[n,r],this.jacobian.set(n&&{rowNames:n.row_names,colNames:n.col_names,data:n.data}),this.inertia.set(this.#n(r)),this.#s(n,r))}#n(t){let e=t?t.frames.indexOf(this.app.choice.frame):-1;if(e<0)return null;let i=t.names.slice(6*e,6*e+6).map(n=>n.split(".").pop());return{rowNames:i,colNames:i,data:go(t.data,t.cols,6*e,6*e,6,6)}}#s(t,e){let i=this.app.view.linkPosition(this.app.choice.frame)??[0,0,0],n=t&&Md(t,i),r=e&&wd(e,this.app.choice.frame,i),o=(a,l)=>a?`${a.map(c=>li(c,3)).join(", ")} ${l}`:"\u2013";Wt(this.reference,t?Ev[t.reference]??"":""),Wt(this.measure,li(n?.measure??NaN)),Wt(this.measure6,li(n?.measure6??NaN)),Wt(this.condition,li(n?.condition??NaN)),Wt(this.speeds,o(n?.lengths,"m")),Wt(this.masses,o(r?.masses,"kg")),Wt(this.rank,e?`${e.rank} of ${e.rows}`:"\u2013"),Wt(this.bias,t?.bias?`${t.bias.slice(0,3).map(a=>ei(a??NaN,3)).join(", ")} m/s\xB2`:"\u2013")}get pictures(){return[{title:`Jacobian of ${this.app.choice.frame}`,canvas:this.jacobian.canvas},{title:"Operational-space inertia",canvas:this.inertia.canvas}]}};var Rv=["ok","warning","error","stale"],cc=class{id="health";title="Health";constructor(t){this.app=t;let{store:e,timeline:i}=t,n=o=>a=>1e3*e.history.data[e.scalar(o)][a];this.times=new yn({store:e,timeline:i,title:"Age of the input, time to compute",unit:()=>"ms",legend:!0,lines:()=>[{label:"age",colour:rs(0),width:1.4,values:n("input_age")},{label:"compute",colour:rs(1),width:1.4,values:n("compute_time")}]}),this.topics=dt("tbody"),this.diagnostics=dt("div",{class:"diagnostics"}),this.empty=dt("p",{class:"soft"},"Nothing on /diagnostics yet"),this.open=new Set;let r=["Topic","Type","Rate","Age","Count"].map(o=>dt("th",{scope:"col"},o));this.root=dt("div",{class:"column scroll"},dt("div",{class:"plots one short"},this.times.root),dt("section",{class:"part"},dt("h2",{},"Topics"),dt("div",{class:"wide"},dt("table",{class:"plain topics"},dt("thead",{},dt("tr",{},...r)),this.topics))),dt("section",{class:"part"},dt("h2",{},"Diagnostics"),this.empty,this.diagnostics))}rebuild(){this.times.rebuild(),this.lastStatus=null,this.lastDiagnostics=null}draw(){this.times.draw();let{store:t,timeline:e}=this.app,i=t.message("status",e.head);i&&i!==this.lastStatus&&this.#t(i.topics??[]),this.lastStatus=i,t.diagnostics!==this.lastDiagnostics&&this.#e(t.diagnostics),this.lastDiagnostics=t.diagnostics}#t(t){let e=t.map(i=>i.topic).join(`
`);e!==this.topicKey&&(this.topicKey=e,this.topicCells=t.map(()=>[0,1,2].map(()=>dt("td",{class:"number"}))),this.topics.replaceChildren(...t.map((i,n)=>dt("tr",{},dt("th",{scope:"row"},i.topic),dt("td",{class:"soft"},i.type??""),...this.topicCells[n])))),t.forEach((i,n)=>{let[r,o,a]=this.topicCells[n];Wt(r,Ul(i.hz??NaN)),Wt(o,fa(i.age??NaN)),Wt(a,String(i.count??"\u2013"))})}#e(t){let e=JSON.stringify(t.map(i=>[i.name,Object.keys(i.values??{})]));e!==this.diagnosticsKey&&(this.diagnosticsKey=e,this.reports=t.map(i=>this.#i(i)),this.diagnostics.replaceChildren(...this.reports.map(i=>i.details))),this.empty.hidden=t.length>0,t.forEach((i,n)=>this.#r(this.reports[n],i))}#i(t){let e=dt("span",{class:"badge"}),i=dt("span",{class:"soft"}),n=Object.keys(t.values??{}).map(o=>[o,dt("dd")]),r=dt("details",{open:this.open.has(t.name)},dt("summary",{},e,dt("strong",{},t.name),i),dt("dl",{class:"facts grid"},...n.map(([o,a])=>dt("div",{},dt("dt",{},o),a))));return r.addEventListener("toggle",()=>r.open?this.open.add(t.name):this.open.delete(t.name)),{details:r,badge:e,message:i,cells:n}}#r({badge:t,message:e,cells:i},n){let r=Rv[n.level]??"stale";t.className=`badge ${r}`,Wt(t,r),Wt(e,n.message??"");for(let[o,a]of i)Wt(a,String(n.values[o]))}get pictures(){return[{title:"Age of the input, time to compute [ms]",canvas:this.times.canvas}]}};var hc=class{id="joints";title="Joints";constructor(t){this.app=t;let e={timeline:t.timeline,store:t.store},i=(n,r,o,a)=>new yn({...e,title:n,least:o,unit:()=>ga(t,r),lines:()=>zl(t,r),bands:a});this.position=i("Position","position",.02,()=>Vl(t,"position")),this.velocity=i("Velocity","velocity",.05,()=>Vl(t,"velocity")),this.external=i("External torque, observed","residual",.5,()=>_a(t)),this.terms=new yn({...e,title:"Torque by term",legend:!0,least:.5,lines:()=>Hp(t),unit:()=>no("effort",t.store.joints[t.choice.focus]?.unit??"rad"),bands:()=>Vl(t,"effort")}),this.plots=[this.position,this.velocity,this.terms,this.external],this.root=dt("div",{class:"plots two"},...this.plots.map(n=>n.root))}rebuild(){let{store:t,choice:e}=this.app,i=t.joints[e.focus]?.name;this.terms.setTitle(i?`Torque of ${i}`:"Torque by term");for(let n of this.plots)n.fitBands=e.fitLimits,n.rebuild()}draw(){this.plots.forEach(t=>t.draw())}get pictures(){return this.plots.map(t=>({title:`${t.heading.textContent} ${t.unitText.textContent}`,canvas:t.canvas}))}};var uc=class{id="mass";title="Mass matrix";constructor(t){this.app=t,this.view=new wr({title:"Mass matrix",describe:(e,i,n,r)=>`M(${r.rowNames[e]}, ${r.colNames[i]}) = ${li(n,7)} ${this.#e(e,i)}`}),this.log=dt("input",{type:"checkbox",onchange:()=>this.#t()}),this.list=dt("dl",{class:"facts"}),this.condition=Gi(this.list,"Condition"),this.logdet=Gi(this.list,"ln det M"),this.largest=Gi(this.list,"Largest"),this.root=dt("div",{class:"column"},dt("header",{class:"line"},this.list,dt("label",{class:"check"},this.log,"logarithmic colours")),this.view.root)}#t(){this.view.logarithmic=this.log.checked,this.view.draw()}#e(t,e){let i=[t,e].filter(n=>this.app.store.joints[n]?.unit==="m").length;return["kg m\xB2","kg m","kg"][i]}rebuild(){this.last=null,this.view.draw()}draw(){let{store:t,timeline:e}=this.app,i=t.message("mass_matrix",e.head);i===this.last&&this.view.place||(this.last=i,this.matrix=i&&{t:i.t,rowNames:i.names,colNames:i.names,data:i.data},this.view.set(this.matrix),i&&(Wt(this.condition,li(i.condition??NaN)),Wt(this.logdet,li(t.message("summary",e.head)?.log_det??NaN)),Wt(this.largest,`${li(Math.max(...i.data.map(n=>Math.abs(n??0))))} kg m\xB2`)))}get pictures(){return[{title:"Mass matrix",canvas:this.view.canvas}]}};function vg(s){let{store:t,timeline:e,view:i,choice:n,connection:r,frames:o}=s,a=h=>h===void 0?null:structuredClone(h),l=()=>t.history?t.history.rowAt(e.head):-1;Object.defineProperty(window,"mbdyn",{value:Object.freeze({get connection(){return{state:r.state,opened:r.opened,received:r.received,bytes:r.bytes,bad:r.badMessages}},get robots(){return a(t.robots)},get model(){return a(t.model)},get time(){return{live:e.live,head:e.head,start:e.start,end:e.end,first:e.first,last:e.last,span:e.span}},get playback(){return{...a(t.playback),active:s.recording.active,sent:s.recording.progress}},get rows(){return{kept:t.history?.length??0,received:t.rows}},get frames(){return{count:o.count,perSecond:o.perSecond,longest:o.longest,robotDrawn:i.drawn}},get view(){return{links:i.linkCount,meshes:a(i.robot?.meshes),capsules:i.robot?.capsules,skeleton:i.skeletonShown,ellipsoid:i.ellipsoid.visible,force:i.force.visible,webgl:i.renderer!==null,lean:i.lean,positions:Object.fromEntries(Object.keys(i.robot?.links??{}).map(h=>[h,i.linkPosition(h)]))}},get choice(){return{shown:n.list,focus:n.focus,frame:n.frame,ellipsoid:n.ellipsoid,limits:n.fitLimits,panel:s.tabs.panel.id}},get massMatrix(){return a(s.panels.find(h=>h.id==="mass").matrix??null)},massMatrixColour(h,u){let{view:d}=s.panels.find(w=>w.id==="mass");if(!d.place)return null;let{left:f,top:m,cw:x,ch:g}=d.place,p=window.devicePixelRatio,_=d.ctx.getImageData(Math.round((f+(u+.06)*x)*p),Math.round((m+(h+.1)*g)*p),1,1);return Array.from(_.data.slice(0,3))},joint(h){let u=t.joints.findIndex(d=>d.name===h);return u<0?null:Object.fromEntries(["position","velocity","total","gravity","command","residual"].map(d=>[d,t.at(d,u,l())]))},series(h,u){let d=t.joints.findIndex(m=>m.name===u);if(d<0||!t.history)return null;let f=t.history;return{t:Array.from(f.times.subarray(0,f.length)),y:Array.from(f.data[t.column(h,d)].subarray(0,f.length))}},get plots(){return Object.fromEntries((s.tabs.panel.plots??[]).map(h=>[h.heading.textContent,{points:h.points,lines:h.shown?.length??0,from:h.xRange?.[0],to:h.xRange?.[1],low:h.yRange?.[0],high:h.yRange?.[1]}]))},message(h){return a(t.message(h,e.head))},get diagnostics(){return a(t.diagnostics)},get threshold(){return t.threshold},get saved(){return{...s.saved}}}),enumerable:!0})}var Pv=[.1,.25,.5,1,2,5,10,50],Iv=80,Nv=60,bg={joint_dynamics:["torque terms","joints"],external_torque:["external torques","contact"],dynamics:["energies","energy"],mass_matrix:["mass matrix","mass"],jacobian:["Jacobians","frame"],operational_space_inertia:["operational-space inertia","frame"]},dc=class{constructor(t){this.app=t,this.target=null,this.awaited=null,this.progress=null,this.#l(),this.#a(),this.#h()}get state(){return this.app.store.playback}get active(){let{store:t}=this.app,e=t.robots.find(i=>i.id===t.model?.robot);return!!(this.state?.open&&e?.recorded)}get playing(){return this.state.playing}get#t(){let{store:t}=this.app;return t.pose?this.state.t-t.pose.t:0}get position(){let{timeline:t}=this.app;return this.target!==null?this.target:t.live?this.state.t:t.head+this.#t}share(t){let{start:e,end:i}=this.state;return(t+this.#t-e)/(i-e)}changed(){let{timeline:t,bar:e}=this.app,i=this.active;t.remote=i?this:null,this.speedBox.hidden=!i,Vt("live").hidden=i,i&&document.activeElement!==this.speed&&(this.speed.value=String(this.state.rate)),i&&this.target!==null&&!this.state.seeking&&this.#e(),this.awaited&&!this.state?.opening&&this.#r(e),this.#c()}#e(){Math.abs(this.state.t-this.sent)>.001&&!this.#i(this.sent)||(this.sent===this.target?this.target=null:this.#o())}#i(t){return t<this.state.start||t>this.state.end}#r(t){let{state:e}=this;e?.open&&e.name===this.awaited?(this.awaited=null,this.app.chooseRobot("recording")):e?.error&&(this.awaited=null,t.say(`Cannot open it: ${e.error}`))}#n(t){this.app.connection.ask({type:"playback",...t})}pause(){this.#n({playing:!1})}play(t=null){t===null?this.#n({playing:!0}):this.#n({playing:!0,t:t+this.#t,before:this.#s})}get#s(){return Math.min(this.app.timeline.span,Nv)}seek(t){let{start:e,end:i}=this.state,{timeline:n}=this.app;this.target=Math.min(Math.max(t,e),i),n.goLive();let r=Iv-(performance.now()-(this.sentAt??-1/0));clearTimeout(this.timer),r<=0?this.#o():this.timer=setTimeout(()=>this.#o(),r),this.app.touch()}#o(){this.target!==null&&(this.sent=this.target,this.sentAt=performance.now(),this.#n({t:this.sent,before:this.#s}))}step(t){this.seek(this.position+t)}#l(){this.speed=dt("select",{id:"speed",title:"Speed of the recording"},...Pv.map(t=>dt("option",{value:String(t)},`${t}\xD7`))),this.speed.value="1",this.speed.addEventListener("change",()=>this.#n({rate:Number(this.speed.value)})),this.speedBox=dt("label",{class:"span",hidden:!0},"Speed ",this.speed),Vt("span").parentNode.before(this.speedBox),this.files=dt("input",{type:"file",accept:".mcap,.db3,.urdf,.xml","aria-label":"Recording or URDF",hidden:!0}),this.files.addEventListener("change",()=>this.take([...this.files.files])),this.open=dt("button",{type:"button",id:"open",title:"Open a recording (.mcap, .db3), or drop one here"},"Open"),this.open.addEventListener("click",()=>this.files.click()),Vt("csv").before(this.open,this.files)}#a(){this.damage=dt("p",{id:"recording-damage",role:"status",hidden:!0}),this.computed=dt("p",{id:"recording-computed",hidden:!0});let t=dt("button",{type:"button"},"Choose a URDF");t.addEventListener("click",()=>this.files.click()),this.urdf=dt("p",{id:"recording-urdf",role:"status",hidden:!0},"The recording has no robot description. Drop a URDF here. ",t),Vt("view").append(dt("div",{class:"view-notes"},this.urdf,this.damage,this.computed))}#c(){let{state:t,active:e}=this,i=e?t.computed:[];this.urdf.hidden=!e||!t.needs_urdf;let n=e?t.note:"";this.damage.hidden=n==="",Wt(this.damage,`Damaged: ${n}`);let r=i.map(l=>bg[l]?.[0]??l),o=e&&t.missing;this.computed.hidden=r.length===0,Wt(this.computed,o?`Nothing is computed: no message has joint ${o}`:"* not recorded: computed from joint states and URDF"),this.computed.title=r.join(", ");let a=o?[]:i.map(l=>bg[l]?.[1]);this.app.tabs.mark(a)}#h(){let t=dt("div",{id:"drop",hidden:!0},"Drop a recording (.mcap, .db3) or a URDF");document.body.append(t);let e=i=>i.dataTransfer?.types.includes("Files");document.addEventListener("dragover",i=>{e(i)&&(i.preventDefault(),t.hidden=!1)}),document.addEventListener("dragleave",i=>{i.relatedTarget===null&&(t.hidden=!0)}),document.addEventListener("drop",async i=>{t.hidden=!0,e(i)&&(i.preventDefault(),this.take(await Lv(i.dataTransfer)))})}take(t){let{bar:e}=this.app,i=t.filter(r=>/\.(mcap|db3)$/i.test(r.name)),n=t.find(r=>/\.(urdf|xml)$/i.test(r.name));this.files.value="",i.length===1?this.#d(i[0]):i.length>1?e.say("A recording of several files: start mbdyn view FOLDER instead"):n?this.#u(n):e.say("Neither a recording (.mcap, .db3) nor a URDF")}#d(t){let{bar:e}=this.app,i=new XMLHttpRequest,n=()=>e.say(`${t.name}: ${ei(100*this.progress,0)} %`);this.awaited=null,this.progress=0,i.upload.addEventListener("progress",r=>{this.progress=r.loaded/Math.max(r.total,1),n()}),i.addEventListener("loadend",()=>{this.progress=null,i.status!==202&&e.say(`Cannot send it: ${i.responseText||"the server closed the connection"}`)}),i.addEventListener("load",()=>{i.status===202&&(this.awaited=t.name,this.changed())}),i.open("PUT",`/api/recording?name=${encodeURIComponent(t.name)}`),i.send(t),n()}async#u(t){let{bar:e}=this.app,i=await fetch("/api/recording/urdf",{method:"PUT",body:t});i.ok?e.say(`${t.name} describes the robot`):e.say(`Cannot use ${t.name}: ${await i.text()}`)}};async function Lv(s){let t=[...s.items].map(r=>r.webkitGetAsEntry?.()).filter(Boolean),e=[...s.files],i=t.length===1&&t[0].isDirectory?t[0]:null;if(!i)return e;let n=await new Promise((r,o)=>i.createReader().readEntries(r,o));return Promise.all(n.filter(r=>r.isFile).map(r=>new Promise((o,a)=>r.file(o,a))))}var or={LEFT:0,MIDDLE:1,RIGHT:2,ROTATE:0,DOLLY:1,PAN:2},ar={ROTATE:0,PAN:1,DOLLY_PAN:2,DOLLY_ROTATE:3},c0=0,hf=1,h0=2;var ll=1,u0=2,$o=3,fs=0,rn=1,Nn=2,zr=0,Jo=1,uf=2,df=3,ff=4,d0=5;var Vr=100,f0=101,p0=102,m0=103,g0=104,_0=200,x0=201,y0=202,v0=203,pf=204,mf=205,b0=206,S0=207,M0=208,w0=209,T0=210,A0=211,E0=212,C0=213,R0=214,Gc=0,Hc=1,Wc=2,No=3,Xc=4,qc=5,Yc=6,jc=7,cl=0,P0=1,I0=2,ps=0,gf=1,_f=2,xf=3,yf=4,vf=5,bf=6,Sf=7,$d="attached",N0="detached",Mf=300,Gr=301,Zo=302,ph=303,mh=304,Is=1e3,nn=1001,$c=1002,Fi=1003,L0=1004;var hl=1005;var Di=1006,gh=1007;var Ln=1008;var ln=1009,wf=1010,Tf=1011,Ko=1012,_h=1013,Jn=1014,Dn=1015,Zn=1016,xh=1017,yh=1018,Hr=1020,Af=35902,Ef=35899,Cf=1021,Rf=1022,Un=1023,Ns=1026,ks=1027,Pf=1028,vh=1029,lr=1030,bh=1031;var Sh=1033,ul=33776,dl=33777,fl=33778,pl=33779,Mh=35840,wh=35841,Th=35842,Ah=35843,Eh=36196,Ch=37492,Rh=37496,Ph=37488,Ih=37489,ml=37490,Nh=37491,Lh=37808,Dh=37809,Uh=37810,Fh=37811,Oh=37812,kh=37813,Bh=37814,zh=37815,Vh=37816,Gh=37817,Hh=37818,Wh=37819,Xh=37820,qh=37821,Yh=36492,jh=36494,$h=36495,Jh=36283,Zh=36284,gl=36285,Kh=36286;var Rr=2300,Jc=2301,zc=2302,Fa=2303,Jd=2400,Zd=2401,Kd=2402,D0=2500;var U0=3200;var _l=0,F0=1,Bs="",Le="srgb",Oa="srgb-linear",ka="linear",Re="srgb";var Vc=7680;var O0=519,k0=512,B0=513,z0=514,If=515,V0=516,G0=517,Nf=518,Lf=519,H0=35044;var Df="300 es",Pn=2e3,Lo=2001;function Dv(s){for(let t=s.length-1;t>=0;--t)if(s[t]>=65535)return!0;return!1}function Uv(s){return ArrayBuffer.isView(s)&&!(s instanceof DataView)}function Do(s){return document.createElementNS("http://www.w3.org/1999/xhtml",s)}function W0(){let s=Do("canvas");return s.style.display="block",s}var Sg={},Uo=null;function Uf(...s){let t="THREE."+s.shift();Uo?Uo("log",t,...s):console.log(t,...s)}function X0(s){let t=s[0];if(typeof t=="string"&&t.startsWith("TSL:")){let e=s[1];e&&e.isStackTrace?s[0]+=" "+e.getLocation():s[1]='Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.'}return s}function jt(...s){s=X0(s);let t="THREE."+s.shift();if(Uo)Uo("warn",t,...s);else{let e=s[0];e&&e.isStackTrace?console.warn(e.getError(t)):console.warn(t,...s)}}function ne(...s){s=X0(s);let t="THREE."+s.shift();if(Uo)Uo("error",t,...s);else{let e=s[0];e&&e.isStackTrace?console.error(e.getError(t)):console.error(t,...s)}}function La(...s){let t=s.join(" ");t in Sg||(Sg[t]=!0,jt(...s))}function q0(s,t,e){return new Promise(function(i,n){function r(){switch(s.clientWaitSync(t,s.SYNC_FLUSH_COMMANDS_BIT,0)){case s.WAIT_FAILED:n();break;case s.TIMEOUT_EXPIRED:setTimeout(r,e);break;default:i()}}setTimeout(r,e)})}var Y0={[Gc]:Gc,[Wc]:Yc,[Xc]:Xc,[No]:qc,[Hc]:Hc,[Yc]:Wc,[jc]:jc,[qc]:No},qn=class{addEventListener(t,e){this._listeners===void 0&&(this._listeners={});let i=this._listeners;i[t]===void 0&&(i[t]=[]),i[t].indexOf(e)===-1&&i[t].push(e)}hasEventListener(t,e){let i=this._listeners;return i===void 0?!1:i[t]!==void 0&&i[t].indexOf(e)!==-1}removeEventListener(t,e){let i=this._listeners;if(i===void 0)return;let n=i[t];if(n!==void 0){let r=n.indexOf(e);r!==-1&&n.splice(r,1)}}dispatchEvent(t){let e=this._listeners;if(e===void 0)return;let i=e[t.type];if(i!==void 0){t.target=this;let n=i.slice(0);for(let r=0,o=n.length;r<o;r++)n[r].call(this,t);t.target=null}}},Hi=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"],Mg=1234567,Da=Math.PI/180,Pr=180/Math.PI;function cr(){let s=Math.random()*4294967295|0,t=Math.random()*4294967295|0,e=Math.random()*4294967295|0,i=Math.random()*4294967295|0;return(Hi[s&255]+Hi[s>>8&255]+Hi[s>>16&255]+Hi[s>>24&255]+"-"+Hi[t&255]+Hi[t>>8&255]+"-"+Hi[t>>16&15|64]+Hi[t>>24&255]+"-"+Hi[e&63|128]+Hi[e>>8&255]+"-"+Hi[e>>16&255]+Hi[e>>24&255]+Hi[i&255]+Hi[i>>8&255]+Hi[i>>16&255]+Hi[i>>24&255]).toLowerCase()}function xe(s,t,e){return Math.max(t,Math.min(e,s))}function Ff(s,t){return(s%t+t)%t}function Fv(s,t,e,i,n){return i+(s-t)*(n-i)/(e-t)}function Ov(s,t,e){return s!==t?(e-s)/(t-s):0}function Ua(s,t,e){return(1-e)*s+e*t}function kv(s,t,e,i){return Ua(s,t,1-Math.exp(-e*i))}function Bv(s,t=1){return t-Math.abs(Ff(s,t*2)-t)}function zv(s,t,e){return s<=t?0:s>=e?1:(s=(s-t)/(e-t),s*s*(3-2*s))}function Vv(s,t,e){return s<=t?0:s>=e?1:(s=(s-t)/(e-t),s*s*s*(s*(s*6-15)+10))}function Gv(s,t){return s+Math.floor(Math.random()*(t-s+1))}function Hv(s,t){return s+Math.random()*(t-s)}function Wv(s){return s*(.5-Math.random())}function Xv(s){s!==void 0&&(Mg=s);let t=Mg+=1831565813;return t=Math.imul(t^t>>>15,t|1),t^=t+Math.imul(t^t>>>7,t|61),((t^t>>>14)>>>0)/4294967296}function qv(s){return s*Da}function Yv(s){return s*Pr}function jv(s){return s>0&&Number.isInteger(s)&&2**Math.round(Math.log2(s))===s}function $v(s){return Math.pow(2,Math.ceil(Math.log(s)/Math.LN2))}function Of(s){return Math.pow(2,Math.floor(Math.log(s)/Math.LN2))}function Jv(s,t,e,i,n){let r=Math.cos,o=Math.sin,a=r(e/2),l=o(e/2),c=r((t+i)/2),h=o((t+i)/2),u=r((t-i)/2),d=o((t-i)/2),f=r((i-t)/2),m=o((i-t)/2);switch(n){case"XYX":s.set(a*h,l*u,l*d,a*c);break;case"YZY":s.set(l*d,a*h,l*u,a*c);break;case"ZXZ":s.set(l*u,l*d,a*h,a*c);break;case"XZX":s.set(a*h,l*m,l*f,a*c);break;case"YXY":s.set(l*f,a*h,l*m,a*c);break;case"ZYZ":s.set(l*m,l*f,a*h,a*c);break;default:jt("MathUtils: .setQuaternionFromProperEuler() encountered an unknown order: "+n)}}function kf(s){switch(s.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function j0(s,t){if(t.constructor===Float32Array)return s;let e=kf(t);if(e===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.max(s/e,-1)}function $0(s,t){if(t.constructor===Float32Array)return s;let e=kf(t);if(e===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.round(s*e)}var cn={DEG2RAD:Da,RAD2DEG:Pr,generateUUID:cr,clamp:xe,euclideanModulo:Ff,mapLinear:Fv,inverseLerp:Ov,lerp:Ua,damp:kv,pingpong:Bv,smoothstep:zv,smootherstep:Vv,randInt:Gv,randFloat:Hv,randFloatSpread:Wv,seededRandom:Xv,degToRad:qv,radToDeg:Yv,isPowerOfTwo:jv,ceilPowerOfTwo:$v,floorPowerOfTwo:Of,setQuaternionFromProperEuler:Jv,normalize:$0,denormalize:j0},$t=class{static{this.prototype.isVector2=!0}constructor(t=0,e=0){this.x=t,this.y=e}get width(){return this.x}set width(t){this.x=t}get height(){return this.y}set height(t){this.y=t}set(t,e){return this.x=t,this.y=e,this}setScalar(t){return this.x=t,this.y=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;default:throw new Error("THREE.Vector2: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;default:throw new Error("THREE.Vector2: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y)}copy(t){return this.x=t.x,this.y=t.y,this}add(t){return this.x+=t.x,this.y+=t.y,this}addScalar(t){return this.x+=t,this.y+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this}subScalar(t){return this.x-=t,this.y-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this}multiply(t){return this.x*=t.x,this.y*=t.y,this}multiplyScalar(t){return this.x*=t,this.y*=t,this}divide(t){return this.x/=t.x,this.y/=t.y,this}divideScalar(t){return this.multiplyScalar(1/t)}applyMatrix3(t){let e=this.x,i=this.y,n=t.elements;return this.x=n[0]*e+n[3]*i+n[6],this.y=n[1]*e+n[4]*i+n[7],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this}clamp(t,e){return this.x=xe(this.x,t.x,e.x),this.y=xe(this.y,t.y,e.y),this}clampScalar(t,e){return this.x=xe(this.x,t,e),this.y=xe(this.y,t,e),this}clampLength(t,e){let i=this.length();return this.divideScalar(i||1).multiplyScalar(xe(i,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(t){return this.x*t.x+this.y*t.y}cross(t){return this.x*t.y-this.y*t.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let i=this.dot(t)/e;return Math.acos(xe(i,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,i=this.y-t.y;return e*e+i*i}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this}lerpVectors(t,e,i){return this.x=t.x+(e.x-t.x)*i,this.y=t.y+(e.y-t.y)*i,this}equals(t){return t.x===this.x&&t.y===this.y}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this}rotateAround(t,e){let i=Math.cos(e),n=Math.sin(e),r=this.x-t.x,o=this.y-t.y;return this.x=r*i-o*n+t.x,this.y=r*n+o*i+t.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}},De=class{constructor(t=0,e=0,i=0,n=1){this.isQuaternion=!0,this._x=t,this._y=e,this._z=i,this._w=n}static slerpFlat(t,e,i,n,r,o,a){let l=i[n+0],c=i[n+1],h=i[n+2],u=i[n+3],d=r[o+0],f=r[o+1],m=r[o+2],x=r[o+3];if(u!==x||l!==d||c!==f||h!==m){let g=l*d+c*f+h*m+u*x;g<0&&(d=-d,f=-f,m=-m,x=-x,g=-g);let p=1-a;if(g<.9995){let _=Math.acos(g),w=Math.sin(_);p=Math.sin(p*_)/w,a=Math.sin(a*_)/w,l=l*p+d*a,c=c*p+f*a,h=h*p+m*a,u=u*p+x*a}else{l=l*p+d*a,c=c*p+f*a,h=h*p+m*a,u=u*p+x*a;let _=1/Math.sqrt(l*l+c*c+h*h+u*u);l*=_,c*=_,h*=_,u*=_}}t[e]=l,t[e+1]=c,t[e+2]=h,t[e+3]=u}static multiplyQuaternionsFlat(t,e,i,n,r,o){let a=i[n],l=i[n+1],c=i[n+2],h=i[n+3],u=r[o],d=r[o+1],f=r[o+2],m=r[o+3];return t[e]=a*m+h*u+l*f-c*d,t[e+1]=l*m+h*d+c*u-a*f,t[e+2]=c*m+h*f+a*d-l*u,t[e+3]=h*m-a*u-l*d-c*f,t}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get w(){return this._w}set w(t){this._w=t,this._onChangeCallback()}set(t,e,i,n){return this._x=t,this._y=e,this._z=i,this._w=n,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(t){return this._x=t.x,this._y=t.y,this._z=t.z,this._w=t.w,this._onChangeCallback(),this}setFromEuler(t,e=!0){let i=t._x,n=t._y,r=t._z,o=t._order,a=Math.cos,l=Math.sin,c=a(i/2),h=a(n/2),u=a(r/2),d=l(i/2),f=l(n/2),m=l(r/2);switch(o){case"XYZ":this._x=d*h*u+c*f*m,this._y=c*f*u-d*h*m,this._z=c*h*m+d*f*u,this._w=c*h*u-d*f*m;break;case"YXZ":this._x=d*h*u+c*f*m,this._y=c*f*u-d*h*m,this._z=c*h*m-d*f*u,this._w=c*h*u+d*f*m;break;case"ZXY":this._x=d*h*u-c*f*m,this._y=c*f*u+d*h*m,this._z=c*h*m+d*f*u,this._w=c*h*u-d*f*m;break;case"ZYX":this._x=d*h*u-c*f*m,this._y=c*f*u+d*h*m,this._z=c*h*m-d*f*u,this._w=c*h*u+d*f*m;break;case"YZX":this._x=d*h*u+c*f*m,this._y=c*f*u+d*h*m,this._z=c*h*m-d*f*u,this._w=c*h*u-d*f*m;break;case"XZY":this._x=d*h*u-c*f*m,this._y=c*f*u-d*h*m,this._z=c*h*m+d*f*u,this._w=c*h*u+d*f*m;break;default:jt("Quaternion: .setFromEuler() encountered an unknown order: "+o)}return e===!0&&this._onChangeCallback(),this}setFromAxisAngle(t,e){let i=e/2,n=Math.sin(i);return this._x=t.x*n,this._y=t.y*n,this._z=t.z*n,this._w=Math.cos(i),this._onChangeCallback(),this}setFromRotationMatrix(t){let e=t.elements,i=e[0],n=e[4],r=e[8],o=e[1],a=e[5],l=e[9],c=e[2],h=e[6],u=e[10],d=i+a+u;if(d>0){let f=.5/Math.sqrt(d+1);this._w=.25/f,this._x=(h-l)*f,this._y=(r-c)*f,this._z=(o-n)*f}else if(i>a&&i>u){let f=2*Math.sqrt(1+i-a-u);this._w=(h-l)/f,this._x=.25*f,this._y=(n+o)/f,this._z=(r+c)/f}else if(a>u){let f=2*Math.sqrt(1+a-i-u);this._w=(r-c)/f,this._x=(n+o)/f,this._y=.25*f,this._z=(l+h)/f}else{let f=2*Math.sqrt(1+u-i-a);this._w=(o-n)/f,this._x=(r+c)/f,this._y=(l+h)/f,this._z=.25*f}return this._onChangeCallback(),this}setFromUnitVectors(t,e){let i=t.dot(e)+1;return i<1e-8?(i=0,Math.abs(t.x)>Math.abs(t.z)?(this._x=-t.y,this._y=t.x,this._z=0,this._w=i):(this._x=0,this._y=-t.z,this._z=t.y,this._w=i)):(this._x=t.y*e.z-t.z*e.y,this._y=t.z*e.x-t.x*e.z,this._z=t.x*e.y-t.y*e.x,this._w=i),this.normalize()}angleTo(t){return 2*Math.acos(Math.abs(xe(this.dot(t),-1,1)))}rotateTowards(t,e){let i=this.angleTo(t);if(i===0)return this;let n=Math.min(1,e/i);return this.slerp(t,n),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(t){return this._x*t._x+this._y*t._y+this._z*t._z+this._w*t._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let t=this.length();return t===0?(this._x=0,this._y=0,this._z=0,this._w=1):(t=1/t,this._x=this._x*t,this._y=this._y*t,this._z=this._z*t,this._w=this._w*t),this._onChangeCallback(),this}multiply(t){return this.multiplyQuaternions(this,t)}premultiply(t){return this.multiplyQuaternions(t,this)}multiplyQuaternions(t,e){let i=t._x,n=t._y,r=t._z,o=t._w,a=e._x,l=e._y,c=e._z,h=e._w;return this._x=i*h+o*a+n*c-r*l,this._y=n*h+o*l+r*a-i*c,this._z=r*h+o*c+i*l-n*a,this._w=o*h-i*a-n*l-r*c,this._onChangeCallback(),this}slerp(t,e){let i=t._x,n=t._y,r=t._z,o=t._w,a=this.dot(t);a<0&&(i=-i,n=-n,r=-r,o=-o,a=-a);let l=1-e;if(a<.9995){let c=Math.acos(a),h=Math.sin(c);l=Math.sin(l*c)/h,e=Math.sin(e*c)/h,this._x=this._x*l+i*e,this._y=this._y*l+n*e,this._z=this._z*l+r*e,this._w=this._w*l+o*e,this._onChangeCallback()}else this._x=this._x*l+i*e,this._y=this._y*l+n*e,this._z=this._z*l+r*e,this._w=this._w*l+o*e,this.normalize();return this}slerpQuaternions(t,e,i){return this.copy(t).slerp(e,i)}random(){let t=2*Math.PI*Math.random(),e=2*Math.PI*Math.random(),i=Math.random(),n=Math.sqrt(1-i),r=Math.sqrt(i);return this.set(n*Math.sin(t),n*Math.cos(t),r*Math.sin(e),r*Math.cos(e))}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._w===this._w}fromArray(t,e=0){return this._x=t[e],this._y=t[e+1],this._z=t[e+2],this._w=t[e+3],this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._w,t}fromBufferAttribute(t,e){return this._x=t.getX(e),this._y=t.getY(e),this._z=t.getZ(e),this._w=t.getW(e),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},V=class{static{this.prototype.isVector3=!0}constructor(t=0,e=0,i=0){this.x=t,this.y=e,this.z=i}set(t,e,i){return i===void 0&&(i=this.z),this.x=t,this.y=e,this.z=i,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;default:throw new Error("THREE.Vector3: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("THREE.Vector3: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this}multiplyVectors(t,e){return this.x=t.x*e.x,this.y=t.y*e.y,this.z=t.z*e.z,this}applyEuler(t){return this.applyQuaternion(wg.setFromEuler(t))}applyAxisAngle(t,e){return this.applyQuaternion(wg.setFromAxisAngle(t,e))}applyMatrix3(t){let e=this.x,i=this.y,n=this.z,r=t.elements;return this.x=r[0]*e+r[3]*i+r[6]*n,this.y=r[1]*e+r[4]*i+r[7]*n,this.z=r[2]*e+r[5]*i+r[8]*n,this}applyNormalMatrix(t){return this.applyMatrix3(t).normalize()}applyMatrix4(t){let e=this.x,i=this.y,n=this.z,r=t.elements,o=1/(r[3]*e+r[7]*i+r[11]*n+r[15]);return this.x=(r[0]*e+r[4]*i+r[8]*n+r[12])*o,this.y=(r[1]*e+r[5]*i+r[9]*n+r[13])*o,this.z=(r[2]*e+r[6]*i+r[10]*n+r[14])*o,this}applyQuaternion(t){let e=this.x,i=this.y,n=this.z,r=t.x,o=t.y,a=t.z,l=t.w,c=2*(o*n-a*i),h=2*(a*e-r*n),u=2*(r*i-o*e);return this.x=e+l*c+o*u-a*h,this.y=i+l*h+a*c-r*u,this.z=n+l*u+r*h-o*c,this}project(t){return this.applyMatrix4(t.matrixWorldInverse).applyMatrix4(t.projectionMatrix)}unproject(t){return this.applyMatrix4(t.projectionMatrixInverse).applyMatrix4(t.matrixWorld)}transformDirection(t){let e=this.x,i=this.y,n=this.z,r=t.elements;return this.x=r[0]*e+r[4]*i+r[8]*n,this.y=r[1]*e+r[5]*i+r[9]*n,this.z=r[2]*e+r[6]*i+r[10]*n,this.normalize()}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this}divideScalar(t){return this.multiplyScalar(1/t)}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this}clamp(t,e){return this.x=xe(this.x,t.x,e.x),this.y=xe(this.y,t.y,e.y),this.z=xe(this.z,t.z,e.z),this}clampScalar(t,e){return this.x=xe(this.x,t,e),this.y=xe(this.y,t,e),this.z=xe(this.z,t,e),this}clampLength(t,e){let i=this.length();return this.divideScalar(i||1).multiplyScalar(xe(i,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this}lerpVectors(t,e,i){return this.x=t.x+(e.x-t.x)*i,this.y=t.y+(e.y-t.y)*i,this.z=t.z+(e.z-t.z)*i,this}cross(t){return this.crossVectors(this,t)}crossVectors(t,e){let i=t.x,n=t.y,r=t.z,o=e.x,a=e.y,l=e.z;return this.x=n*l-r*a,this.y=r*o-i*l,this.z=i*a-n*o,this}projectOnVector(t){let e=t.lengthSq();if(e===0)return this.set(0,0,0);let i=t.dot(this)/e;return this.copy(t).multiplyScalar(i)}projectOnPlane(t){return Td.copy(this).projectOnVector(t),this.sub(Td)}reflect(t){return this.sub(Td.copy(t).multiplyScalar(2*this.dot(t)))}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let i=this.dot(t)/e;return Math.acos(xe(i,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,i=this.y-t.y,n=this.z-t.z;return e*e+i*i+n*n}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)+Math.abs(this.z-t.z)}setFromSpherical(t){return this.setFromSphericalCoords(t.radius,t.phi,t.theta)}setFromSphericalCoords(t,e,i){let n=Math.sin(e)*t;return this.x=n*Math.sin(i),this.y=Math.cos(e)*t,this.z=n*Math.cos(i),this}setFromCylindrical(t){return this.setFromCylindricalCoords(t.radius,t.theta,t.y)}setFromCylindricalCoords(t,e,i){return this.x=t*Math.sin(e),this.y=i,this.z=t*Math.cos(e),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this}setFromMatrixScale(t){let e=this.setFromMatrixColumn(t,0).length(),i=this.setFromMatrixColumn(t,1).length(),n=this.setFromMatrixColumn(t,2).length();return this.x=e,this.y=i,this.z=n,this}setFromMatrixColumn(t,e){return this.fromArray(t.elements,e*4)}setFromMatrix3Column(t,e){return this.fromArray(t.elements,e*3)}setFromEuler(t){return this.x=t._x,this.y=t._y,this.z=t._z,this}setFromColor(t){return this.x=t.r,this.y=t.g,this.z=t.b,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let t=Math.random()*Math.PI*2,e=Math.random()*2-1,i=Math.sqrt(1-e*e);return this.x=i*Math.cos(t),this.y=e,this.z=i*Math.sin(t),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}},Td=new V,wg=new De,oe=class{static{this.prototype.isMatrix3=!0}constructor(t,e,i,n,r,o,a,l,c){this.elements=[1,0,0,0,1,0,0,0,1],t!==void 0&&this.set(t,e,i,n,r,o,a,l,c)}set(t,e,i,n,r,o,a,l,c){let h=this.elements;return h[0]=t,h[1]=n,h[2]=a,h[3]=e,h[4]=r,h[5]=l,h[6]=i,h[7]=o,h[8]=c,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(t){let e=this.elements,i=t.elements;return e[0]=i[0],e[1]=i[1],e[2]=i[2],e[3]=i[3],e[4]=i[4],e[5]=i[5],e[6]=i[6],e[7]=i[7],e[8]=i[8],this}extractBasis(t,e,i){return t.setFromMatrix3Column(this,0),e.setFromMatrix3Column(this,1),i.setFromMatrix3Column(this,2),this}setFromMatrix4(t){let e=t.elements;return this.set(e[0],e[4],e[8],e[1],e[5],e[9],e[2],e[6],e[10]),this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let i=t.elements,n=e.elements,r=this.elements,o=i[0],a=i[3],l=i[6],c=i[1],h=i[4],u=i[7],d=i[2],f=i[5],m=i[8],x=n[0],g=n[3],p=n[6],_=n[1],w=n[4],v=n[7],A=n[2],S=n[5],y=n[8];return r[0]=o*x+a*_+l*A,r[3]=o*g+a*w+l*S,r[6]=o*p+a*v+l*y,r[1]=c*x+h*_+u*A,r[4]=c*g+h*w+u*S,r[7]=c*p+h*v+u*y,r[2]=d*x+f*_+m*A,r[5]=d*g+f*w+m*S,r[8]=d*p+f*v+m*y,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[3]*=t,e[6]*=t,e[1]*=t,e[4]*=t,e[7]*=t,e[2]*=t,e[5]*=t,e[8]*=t,this}determinant(){let t=this.elements,e=t[0],i=t[1],n=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8];return e*o*h-e*a*c-i*r*h+i*a*l+n*r*c-n*o*l}invert(){let t=this.elements,e=t[0],i=t[1],n=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8],u=h*o-a*c,d=a*l-h*r,f=c*r-o*l,m=e*u+i*d+n*f;if(m===0)return this.set(0,0,0,0,0,0,0,0,0);let x=1/m;return t[0]=u*x,t[1]=(n*c-h*i)*x,t[2]=(a*i-n*o)*x,t[3]=d*x,t[4]=(h*e-n*l)*x,t[5]=(n*r-a*e)*x,t[6]=f*x,t[7]=(i*l-c*e)*x,t[8]=(o*e-i*r)*x,this}transpose(){let t,e=this.elements;return t=e[1],e[1]=e[3],e[3]=t,t=e[2],e[2]=e[6],e[6]=t,t=e[5],e[5]=e[7],e[7]=t,this}getNormalMatrix(t){return this.setFromMatrix4(t).invert().transpose()}transposeIntoArray(t){let e=this.elements;return t[0]=e[0],t[1]=e[3],t[2]=e[6],t[3]=e[1],t[4]=e[4],t[5]=e[7],t[6]=e[2],t[7]=e[5],t[8]=e[8],this}setUvTransform(t,e,i,n,r,o,a){let l=Math.cos(r),c=Math.sin(r);return this.set(i*l,i*c,-i*(l*o+c*a)+o+t,-n*c,n*l,-n*(-c*o+l*a)+a+e,0,0,1),this}scale(t,e){return La("Matrix3: .scale() is deprecated. Use .makeScale() instead."),this.premultiply(Ad.makeScale(t,e)),this}rotate(t){return La("Matrix3: .rotate() is deprecated. Use .makeRotation() instead."),this.premultiply(Ad.makeRotation(-t)),this}translate(t,e){return La("Matrix3: .translate() is deprecated. Use .makeTranslation() instead."),this.premultiply(Ad.makeTranslation(t,e)),this}makeTranslation(t,e){return t.isVector2?this.set(1,0,t.x,0,1,t.y,0,0,1):this.set(1,0,t,0,1,e,0,0,1),this}makeRotation(t){let e=Math.cos(t),i=Math.sin(t);return this.set(e,-i,0,i,e,0,0,0,1),this}makeScale(t,e){return this.set(t,0,0,0,e,0,0,0,1),this}equals(t){let e=this.elements,i=t.elements;for(let n=0;n<9;n++)if(e[n]!==i[n])return!1;return!0}fromArray(t,e=0){for(let i=0;i<9;i++)this.elements[i]=t[i+e];return this}toArray(t=[],e=0){let i=this.elements;return t[e]=i[0],t[e+1]=i[1],t[e+2]=i[2],t[e+3]=i[3],t[e+4]=i[4],t[e+5]=i[5],t[e+6]=i[6],t[e+7]=i[7],t[e+8]=i[8],t}clone(){return new this.constructor().fromArray(this.elements)}},Ad=new oe,Tg=new oe().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),Ag=new oe().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function Zv(){let s={enabled:!0,workingColorSpace:Oa,spaces:{},convert:function(n,r,o){return this.enabled===!1||r===o||!r||!o||(this.spaces[r].transfer===Re&&(n.r=Ps(n.r),n.g=Ps(n.g),n.b=Ps(n.b)),this.spaces[r].primaries!==this.spaces[o].primaries&&(n.applyMatrix3(this.spaces[r].toXYZ),n.applyMatrix3(this.spaces[o].fromXYZ)),this.spaces[o].transfer===Re&&(n.r=Po(n.r),n.g=Po(n.g),n.b=Po(n.b))),n},workingToColorSpace:function(n,r){return this.convert(n,this.workingColorSpace,r)},colorSpaceToWorking:function(n,r){return this.convert(n,r,this.workingColorSpace)},getPrimaries:function(n){return this.spaces[n].primaries},getTransfer:function(n){return n===Bs?ka:this.spaces[n].transfer},getToneMappingMode:function(n){return this.spaces[n].outputColorSpaceConfig.toneMappingMode||"standard"},getLuminanceCoefficients:function(n,r=this.workingColorSpace){return n.fromArray(this.spaces[r].luminanceCoefficients)},define:function(n){Object.assign(this.spaces,n)},_getMatrix:function(n,r,o){return n.copy(this.spaces[o].fromXYZ).multiply(this.spaces[r].toXYZ)},_getDrawingBufferColorSpace:function(n){return this.spaces[n].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(n=this.workingColorSpace){return this.spaces[n].workingColorSpaceConfig.unpackColorSpace}},t=[.64,.33,.3,.6,.15,.06],e=[.2126,.7152,.0722],i=[.3127,.329];return s.define({[Oa]:{primaries:t,whitePoint:i,transfer:ka,toXYZ:Tg,fromXYZ:Ag,luminanceCoefficients:e,workingColorSpaceConfig:{unpackColorSpace:Le},outputColorSpaceConfig:{drawingBufferColorSpace:Le}},[Le]:{primaries:t,whitePoint:i,transfer:Re,toXYZ:Tg,fromXYZ:Ag,luminanceCoefficients:e,outputColorSpaceConfig:{drawingBufferColorSpace:Le}}}),s}var ue=Zv();function Ps(s){return s<.04045?s*.0773993808:Math.pow(s*.9478672986+.0521327014,2.4)}function Po(s){return s<.0031308?s*12.92:1.055*Math.pow(s,.41666)-.055}var _o,Zc=class{static getDataURL(t,e="image/png"){if(/^data:/i.test(t.src)||typeof HTMLCanvasElement>"u")return t.src;let i;if(t instanceof HTMLCanvasElement)i=t;else{_o===void 0&&(_o=Do("canvas")),_o.width=t.width,_o.height=t.height;let n=_o.getContext("2d");t instanceof ImageData?n.putImageData(t,0,0):n.drawImage(t,0,0,t.width,t.height),i=_o}return i.toDataURL(e)}static sRGBToLinear(t){if(typeof HTMLImageElement<"u"&&t instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&t instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&t instanceof ImageBitmap){let e=Do("canvas");e.width=t.width,e.height=t.height;let i=e.getContext("2d");i.drawImage(t,0,0,t.width,t.height);let n=i.getImageData(0,0,t.width,t.height),r=n.data;for(let o=0;o<r.length;o++)r[o]=Ps(r[o]/255)*255;return i.putImageData(n,0,0),e}else if(t.data){let e=t.data.slice(0);for(let i=0;i<e.length;i++)e instanceof Uint8Array||e instanceof Uint8ClampedArray?e[i]=Math.floor(Ps(e[i]/255)*255):e[i]=Ps(e[i]);return{data:e,width:t.width,height:t.height}}else return jt("ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied."),t}},Kv=0,Fo=class{constructor(t=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:Kv++}),this.uuid=cr(),this.data=t,this.dataReady=!0,this.version=0}getSize(t){let e=this.data;return typeof HTMLVideoElement<"u"&&e instanceof HTMLVideoElement?t.set(e.videoWidth,e.videoHeight,0):typeof VideoFrame<"u"&&e instanceof VideoFrame?t.set(e.displayWidth,e.displayHeight,0):e!==null?t.set(e.width||0,e.height||0,e.depth||0):t.set(0,0,0),t}set needsUpdate(t){t===!0&&this.version++}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.images[this.uuid]!==void 0)return t.images[this.uuid];let i={uuid:this.uuid,url:""},n=this.data;if(n!==null){let r;if(Array.isArray(n)){r=[];for(let o=0,a=n.length;o<a;o++)n[o].isDataTexture?r.push(Ed(n[o].image)):r.push(Ed(n[o]))}else r=Ed(n);i.url=r}return e||(t.images[this.uuid]=i),i}};function Ed(s){return typeof HTMLImageElement<"u"&&s instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&s instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&s instanceof ImageBitmap?Zc.getDataURL(s):s.data?{data:Array.from(s.data),width:s.width,height:s.height,type:s.data.constructor.name}:(jt("Texture: Unable to serialize Texture."),{})}var Qv=0,Cd=new V,sn=class s extends qn{constructor(t=s.DEFAULT_IMAGE,e=s.DEFAULT_MAPPING,i=nn,n=nn,r=Di,o=Ln,a=Un,l=ln,c=s.DEFAULT_ANISOTROPY,h=Bs){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:Qv++}),this.uuid=cr(),this.name="",this.source=new Fo(t),this.mipmaps=[],this.mapping=e,this.channel=0,this.wrapS=i,this.wrapT=n,this.magFilter=r,this.minFilter=o,this.anisotropy=c,this.format=a,this.internalFormat=null,this.type=l,this.offset=new $t(0,0),this.repeat=new $t(1,1),this.center=new $t(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new oe,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=h,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(t&&t.depth&&t.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(Cd).x}get height(){return this.source.getSize(Cd).y}get depth(){return this.source.getSize(Cd).z}get image(){return this.source.data}set image(t){this.source.data=t}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(t){return this.name=t.name,this.source=t.source,this.mipmaps=t.mipmaps.slice(0),this.mapping=t.mapping,this.channel=t.channel,this.wrapS=t.wrapS,this.wrapT=t.wrapT,this.magFilter=t.magFilter,this.minFilter=t.minFilter,this.anisotropy=t.anisotropy,this.format=t.format,this.internalFormat=t.internalFormat,this.type=t.type,this.normalized=t.normalized,this.offset.copy(t.offset),this.repeat.copy(t.repeat),this.center.copy(t.center),this.rotation=t.rotation,this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrix.copy(t.matrix),this.generateMipmaps=t.generateMipmaps,this.mipmapsAutoUpdate=t.mipmapsAutoUpdate,this.premultiplyAlpha=t.premultiplyAlpha,this.flipY=t.flipY,this.unpackAlignment=t.unpackAlignment,this.colorSpace=t.colorSpace,this.renderTarget=t.renderTarget,this.isRenderTargetTexture=t.isRenderTargetTexture,this.isPMREMTexture=t.isPMREMTexture,this.isArrayTexture=t.isArrayTexture,this.userData=JSON.parse(JSON.stringify(t.userData)),this.needsUpdate=!0,this}setValues(t){for(let e in t){let i=t[e];if(i===void 0){jt(`Texture.setValues(): parameter '${e}' has value of undefined.`);continue}let n=this[e];if(n===void 0){jt(`Texture.setValues(): property '${e}' does not exist.`);continue}n&&i&&n.isVector2&&i.isVector2||n&&i&&n.isVector3&&i.isVector3||n&&i&&n.isMatrix3&&i.isMatrix3?n.copy(i):this[e]=i}}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.textures[this.uuid]!==void 0)return t.textures[this.uuid];let i={metadata:{version:4.7,type:"Texture",generator:"Texture.toJSON"},uuid:this.uuid,name:this.name,image:this.source.toJSON(t).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,normalized:this.normalized,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,mipmapsAutoUpdate:this.mipmapsAutoUpdate,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(i.userData=this.userData),e||(t.textures[this.uuid]=i),i}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(t){if(this.mapping!==Mf)return t;if(t.applyMatrix3(this.matrix),t.x<0||t.x>1)switch(this.wrapS){case Is:t.x=t.x-Math.floor(t.x);break;case nn:t.x=t.x<0?0:1;break;case $c:Math.abs(Math.floor(t.x)%2)===1?t.x=Math.ceil(t.x)-t.x:t.x=t.x-Math.floor(t.x);break}if(t.y<0||t.y>1)switch(this.wrapT){case Is:t.y=t.y-Math.floor(t.y);break;case nn:t.y=t.y<0?0:1;break;case $c:Math.abs(Math.floor(t.y)%2)===1?t.y=Math.ceil(t.y)-t.y:t.y=t.y-Math.floor(t.y);break}return this.flipY&&(t.y=1-t.y),t}set needsUpdate(t){t===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(t){t===!0&&this.pmremVersion++}};sn.DEFAULT_IMAGE=null;sn.DEFAULT_MAPPING=Mf;sn.DEFAULT_ANISOTROPY=1;var Ue=class{static{this.prototype.isVector4=!0}constructor(t=0,e=0,i=0,n=1){this.x=t,this.y=e,this.z=i,this.w=n}get width(){return this.z}set width(t){this.z=t}get height(){return this.w}set height(t){this.w=t}set(t,e,i,n){return this.x=t,this.y=e,this.z=i,this.w=n,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this.w=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setW(t){return this.w=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;case 3:this.w=e;break;default:throw new Error("THREE.Vector4: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("THREE.Vector4: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this.w=t.w!==void 0?t.w:1,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this.w+=t.w,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this.w+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this.w=t.w+e.w,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this.w+=t.w*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this.w-=t.w,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this.w-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this.w=t.w-e.w,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this.w*=t.w,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this.w*=t,this}applyMatrix4(t){let e=this.x,i=this.y,n=this.z,r=this.w,o=t.elements;return this.x=o[0]*e+o[4]*i+o[8]*n+o[12]*r,this.y=o[1]*e+o[5]*i+o[9]*n+o[13]*r,this.z=o[2]*e+o[6]*i+o[10]*n+o[14]*r,this.w=o[3]*e+o[7]*i+o[11]*n+o[15]*r,this}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this.w/=t.w,this}divideScalar(t){return this.multiplyScalar(1/t)}setAxisAngleFromQuaternion(t){this.w=2*Math.acos(t.w);let e=Math.sqrt(1-t.w*t.w);return e<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=t.x/e,this.y=t.y/e,this.z=t.z/e),this}setAxisAngleFromRotationMatrix(t){let e,i,n,r,l=t.elements,c=l[0],h=l[4],u=l[8],d=l[1],f=l[5],m=l[9],x=l[2],g=l[6],p=l[10];if(Math.abs(h-d)<.01&&Math.abs(u-x)<.01&&Math.abs(m-g)<.01){if(Math.abs(h+d)<.1&&Math.abs(u+x)<.1&&Math.abs(m+g)<.1&&Math.abs(c+f+p-3)<.1)return this.set(1,0,0,0),this;e=Math.PI;let w=(c+1)/2,v=(f+1)/2,A=(p+1)/2,S=(h+d)/4,y=(u+x)/4,M=(m+g)/4;return w>v&&w>A?w<.01?(i=0,n=.707106781,r=.707106781):(i=Math.sqrt(w),n=S/i,r=y/i):v>A?v<.01?(i=.707106781,n=0,r=.707106781):(n=Math.sqrt(v),i=S/n,r=M/n):A<.01?(i=.707106781,n=.707106781,r=0):(r=Math.sqrt(A),i=y/r,n=M/r),this.set(i,n,r,e),this}let _=Math.sqrt((g-m)*(g-m)+(u-x)*(u-x)+(d-h)*(d-h));return Math.abs(_)<.001&&(_=1),this.x=(g-m)/_,this.y=(u-x)/_,this.z=(d-h)/_,this.w=Math.acos((c+f+p-1)/2),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this.w=e[15],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this.w=Math.min(this.w,t.w),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this.w=Math.max(this.w,t.w),this}clamp(t,e){return this.x=xe(this.x,t.x,e.x),this.y=xe(this.y,t.y,e.y),this.z=xe(this.z,t.z,e.z),this.w=xe(this.w,t.w,e.w),this}clampScalar(t,e){return this.x=xe(this.x,t,e),this.y=xe(this.y,t,e),this.z=xe(this.z,t,e),this.w=xe(this.w,t,e),this}clampLength(t,e){let i=this.length();return this.divideScalar(i||1).multiplyScalar(xe(i,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z+this.w*t.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this.w+=(t.w-this.w)*e,this}lerpVectors(t,e,i){return this.x=t.x+(e.x-t.x)*i,this.y=t.y+(e.y-t.y)*i,this.z=t.z+(e.z-t.z)*i,this.w=t.w+(e.w-t.w)*i,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z&&t.w===this.w}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this.w=t[e+3],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t[e+3]=this.w,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this.w=t.getW(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}},Kc=class extends qn{constructor(t=1,e=1,i={}){super(),i=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:Di,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},i),this.isRenderTarget=!0,this.width=t,this.height=e,this.depth=i.depth,this.scissor=new Ue(0,0,t,e),this.scissorTest=!1,this.viewport=new Ue(0,0,t,e),this.textures=[];let n=i.count;for(let r=0;r<n;r++)this.textures[r]=new sn({width:t,height:e,depth:i.depth}),this.textures[r].isRenderTargetTexture=!0,this.textures[r].renderTarget=this;this._setTextureOptions(i),this.depthBuffer=i.depthBuffer,this.stencilBuffer=i.stencilBuffer,this.resolveColorBuffer=i.resolveColorBuffer,this.resolveDepthBuffer=i.resolveDepthBuffer,this.resolveStencilBuffer=i.resolveStencilBuffer,this.storeMultisampledColorBuffer=i.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=i.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=i.storeMultisampledStencilBuffer,this._depthTexture=null,this.depthTexture=i.depthTexture,this.samples=i.samples,this.multiview=i.multiview,this.useArrayDepthTexture=i.useArrayDepthTexture}_setTextureOptions(t={}){let e={minFilter:Di,generateMipmaps:!1,flipY:!1,internalFormat:null};t.mapping!==void 0&&(e.mapping=t.mapping),t.wrapS!==void 0&&(e.wrapS=t.wrapS),t.wrapT!==void 0&&(e.wrapT=t.wrapT),t.wrapR!==void 0&&(e.wrapR=t.wrapR),t.magFilter!==void 0&&(e.magFilter=t.magFilter),t.minFilter!==void 0&&(e.minFilter=t.minFilter),t.format!==void 0&&(e.format=t.format),t.type!==void 0&&(e.type=t.type),t.anisotropy!==void 0&&(e.anisotropy=t.anisotropy),t.colorSpace!==void 0&&(e.colorSpace=t.colorSpace),t.flipY!==void 0&&(e.flipY=t.flipY),t.generateMipmaps!==void 0&&(e.generateMipmaps=t.generateMipmaps),t.mipmapsAutoUpdate!==void 0&&(e.mipmapsAutoUpdate=t.mipmapsAutoUpdate),t.internalFormat!==void 0&&(e.internalFormat=t.internalFormat);for(let i=0;i<this.textures.length;i++)this.textures[i].setValues(e)}get texture(){return this.textures[0]}set texture(t){this.textures[0]=t}set depthTexture(t){this._depthTexture!==null&&this._depthTexture.renderTarget===this&&(this._depthTexture.renderTarget=null),t!==null&&t.renderTarget===null&&(t.renderTarget=this),this._depthTexture=t}get depthTexture(){return this._depthTexture}setSize(t,e,i=1){if(this.width!==t||this.height!==e||this.depth!==i){this.width=t,this.height=e,this.depth=i;for(let n=0,r=this.textures.length;n<r;n++)this.textures[n].image.width=t,this.textures[n].image.height=e,this.textures[n].image.depth=i,this.textures[n].isData3DTexture!==!0&&(this.textures[n].isArrayTexture=this.textures[n].image.depth>1);this.dispose()}this.viewport.set(0,0,t,e),this.scissor.set(0,0,t,e)}clone(){return new this.constructor().copy(this)}copy(t){this.width=t.width,this.height=t.height,this.depth=t.depth,this.scissor.copy(t.scissor),this.scissorTest=t.scissorTest,this.viewport.copy(t.viewport),this.textures.length=0;for(let e=0,i=t.textures.length;e<i;e++){this.textures[e]=t.textures[e].clone(),this.textures[e].isRenderTargetTexture=!0,this.textures[e].renderTarget=this;let n=Object.assign({},t.textures[e].image);this.textures[e].source=new Fo(n)}if(this.depthBuffer=t.depthBuffer,this.stencilBuffer=t.stencilBuffer,this.resolveColorBuffer=t.resolveColorBuffer,this.resolveDepthBuffer=t.resolveDepthBuffer,this.resolveStencilBuffer=t.resolveStencilBuffer,this.storeMultisampledColorBuffer=t.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=t.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=t.storeMultisampledStencilBuffer,t.depthTexture!==null)if(t.depthTexture.renderTarget===t){let e=t.depthTexture.clone();e.renderTarget=null,this.depthTexture=e}else this.depthTexture=t.depthTexture;else this.depthTexture=null;return this.samples=t.samples,this.multiview=t.multiview,this.useArrayDepthTexture=t.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:"dispose"})}},Mn=class extends Kc{constructor(t=1,e=1,i={}){super(t,e,i),this.isWebGLRenderTarget=!0}},Ba=class extends sn{constructor(t=null,e=1,i=1,n=1){super(null),this.isDataArrayTexture=!0,this.image={data:t,width:e,height:i,depth:n},this.magFilter=Fi,this.minFilter=Fi,this.wrapR=nn,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(t){return super.copy(t),this.wrapR=t.wrapR,this}addLayerUpdate(t){this.layerUpdates.add(t)}clearLayerUpdates(){this.layerUpdates.clear()}};var Qc=class extends sn{constructor(t=null,e=1,i=1,n=1){super(null),this.isData3DTexture=!0,this.image={data:t,width:e,height:i,depth:n},this.magFilter=Fi,this.minFilter=Fi,this.wrapR=nn,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(t){return super.copy(t),this.wrapR=t.wrapR,this}};var Jt=class s{static{this.prototype.isMatrix4=!0}constructor(t,e,i,n,r,o,a,l,c,h,u,d,f,m,x,g){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],t!==void 0&&this.set(t,e,i,n,r,o,a,l,c,h,u,d,f,m,x,g)}set(t,e,i,n,r,o,a,l,c,h,u,d,f,m,x,g){let p=this.elements;return p[0]=t,p[4]=e,p[8]=i,p[12]=n,p[1]=r,p[5]=o,p[9]=a,p[13]=l,p[2]=c,p[6]=h,p[10]=u,p[14]=d,p[3]=f,p[7]=m,p[11]=x,p[15]=g,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new s().fromArray(this.elements)}copy(t){let e=this.elements,i=t.elements;return e[0]=i[0],e[1]=i[1],e[2]=i[2],e[3]=i[3],e[4]=i[4],e[5]=i[5],e[6]=i[6],e[7]=i[7],e[8]=i[8],e[9]=i[9],e[10]=i[10],e[11]=i[11],e[12]=i[12],e[13]=i[13],e[14]=i[14],e[15]=i[15],this}copyPosition(t){let e=this.elements,i=t.elements;return e[12]=i[12],e[13]=i[13],e[14]=i[14],this}setFromMatrix3(t){let e=t.elements;return this.set(e[0],e[3],e[6],0,e[1],e[4],e[7],0,e[2],e[5],e[8],0,0,0,0,1),this}extractBasis(t,e,i){return this.determinantAffine()===0?(t.set(1,0,0),e.set(0,1,0),i.set(0,0,1),this):(t.setFromMatrixColumn(this,0),e.setFromMatrixColumn(this,1),i.setFromMatrixColumn(this,2),this)}makeBasis(t,e,i){return this.set(t.x,e.x,i.x,0,t.y,e.y,i.y,0,t.z,e.z,i.z,0,0,0,0,1),this}extractRotation(t){if(t.determinantAffine()===0)return this.identity();let e=this.elements,i=t.elements,n=1/xo.setFromMatrixColumn(t,0).length(),r=1/xo.setFromMatrixColumn(t,1).length(),o=1/xo.setFromMatrixColumn(t,2).length();return e[0]=i[0]*n,e[1]=i[1]*n,e[2]=i[2]*n,e[3]=0,e[4]=i[4]*r,e[5]=i[5]*r,e[6]=i[6]*r,e[7]=0,e[8]=i[8]*o,e[9]=i[9]*o,e[10]=i[10]*o,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromEuler(t){let e=this.elements,i=t.x,n=t.y,r=t.z,o=Math.cos(i),a=Math.sin(i),l=Math.cos(n),c=Math.sin(n),h=Math.cos(r),u=Math.sin(r);if(t.order==="XYZ"){let d=o*h,f=o*u,m=a*h,x=a*u;e[0]=l*h,e[4]=-l*u,e[8]=c,e[1]=f+m*c,e[5]=d-x*c,e[9]=-a*l,e[2]=x-d*c,e[6]=m+f*c,e[10]=o*l}else if(t.order==="YXZ"){let d=l*h,f=l*u,m=c*h,x=c*u;e[0]=d+x*a,e[4]=m*a-f,e[8]=o*c,e[1]=o*u,e[5]=o*h,e[9]=-a,e[2]=f*a-m,e[6]=x+d*a,e[10]=o*l}else if(t.order==="ZXY"){let d=l*h,f=l*u,m=c*h,x=c*u;e[0]=d-x*a,e[4]=-o*u,e[8]=m+f*a,e[1]=f+m*a,e[5]=o*h,e[9]=x-d*a,e[2]=-o*c,e[6]=a,e[10]=o*l}else if(t.order==="ZYX"){let d=o*h,f=o*u,m=a*h,x=a*u;e[0]=l*h,e[4]=m*c-f,e[8]=d*c+x,e[1]=l*u,e[5]=x*c+d,e[9]=f*c-m,e[2]=-c,e[6]=a*l,e[10]=o*l}else if(t.order==="YZX"){let d=o*l,f=o*c,m=a*l,x=a*c;e[0]=l*h,e[4]=x-d*u,e[8]=m*u+f,e[1]=u,e[5]=o*h,e[9]=-a*h,e[2]=-c*h,e[6]=f*u+m,e[10]=d-x*u}else if(t.order==="XZY"){let d=o*l,f=o*c,m=a*l,x=a*c;e[0]=l*h,e[4]=-u,e[8]=c*h,e[1]=d*u+x,e[5]=o*h,e[9]=f*u-m,e[2]=m*u-f,e[6]=a*h,e[10]=x*u+d}return e[3]=0,e[7]=0,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromQuaternion(t){return this.compose(tb,t,eb)}lookAt(t,e,i){let n=this.elements;return vn.subVectors(t,e),vn.lengthSq()===0&&(vn.z=1),vn.normalize(),js.crossVectors(i,vn),js.lengthSq()===0&&(Math.abs(i.z)===1?vn.x+=1e-4:vn.z+=1e-4,vn.normalize(),js.crossVectors(i,vn)),js.normalize(),fc.crossVectors(vn,js),n[0]=js.x,n[4]=fc.x,n[8]=vn.x,n[1]=js.y,n[5]=fc.y,n[9]=vn.y,n[2]=js.z,n[6]=fc.z,n[10]=vn.z,this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let i=t.elements,n=e.elements,r=this.elements,o=i[0],a=i[4],l=i[8],c=i[12],h=i[1],u=i[5],d=i[9],f=i[13],m=i[2],x=i[6],g=i[10],p=i[14],_=i[3],w=i[7],v=i[11],A=i[15],S=n[0],y=n[4],M=n[8],I=n[12],P=n[1],R=n[5],U=n[9],O=n[13],L=n[2],H=n[6],k=n[10],G=n[14],it=n[3],Y=n[7],J=n[11],Q=n[15];return r[0]=o*S+a*P+l*L+c*it,r[4]=o*y+a*R+l*H+c*Y,r[8]=o*M+a*U+l*k+c*J,r[12]=o*I+a*O+l*G+c*Q,r[1]=h*S+u*P+d*L+f*it,r[5]=h*y+u*R+d*H+f*Y,r[9]=h*M+u*U+d*k+f*J,r[13]=h*I+u*O+d*G+f*Q,r[2]=m*S+x*P+g*L+p*it,r[6]=m*y+x*R+g*H+p*Y,r[10]=m*M+x*U+g*k+p*J,r[14]=m*I+x*O+g*G+p*Q,r[3]=_*S+w*P+v*L+A*it,r[7]=_*y+w*R+v*H+A*Y,r[11]=_*M+w*U+v*k+A*J,r[15]=_*I+w*O+v*G+A*Q,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[4]*=t,e[8]*=t,e[12]*=t,e[1]*=t,e[5]*=t,e[9]*=t,e[13]*=t,e[2]*=t,e[6]*=t,e[10]*=t,e[14]*=t,e[3]*=t,e[7]*=t,e[11]*=t,e[15]*=t,this}determinant(){let t=this.elements,e=t[0],i=t[4],n=t[8],r=t[12],o=t[1],a=t[5],l=t[9],c=t[13],h=t[2],u=t[6],d=t[10],f=t[14],m=t[3],x=t[7],g=t[11],p=t[15],_=l*f-c*d,w=a*f-c*u,v=a*d-l*u,A=o*f-c*h,S=o*d-l*h,y=o*u-a*h;return e*(x*_-g*w+p*v)-i*(m*_-g*A+p*S)+n*(m*w-x*A+p*y)-r*(m*v-x*S+g*y)}determinantAffine(){let t=this.elements,e=t[0],i=t[4],n=t[8],r=t[1],o=t[5],a=t[9],l=t[2],c=t[6],h=t[10];return e*(o*h-a*c)-i*(r*h-a*l)+n*(r*c-o*l)}transpose(){let t=this.elements,e;return e=t[1],t[1]=t[4],t[4]=e,e=t[2],t[2]=t[8],t[8]=e,e=t[6],t[6]=t[9],t[9]=e,e=t[3],t[3]=t[12],t[12]=e,e=t[7],t[7]=t[13],t[13]=e,e=t[11],t[11]=t[14],t[14]=e,this}setPosition(t,e,i){let n=this.elements;return t.isVector3?(n[12]=t.x,n[13]=t.y,n[14]=t.z):(n[12]=t,n[13]=e,n[14]=i),this}invert(){let t=this.elements,e=t[0],i=t[1],n=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8],u=t[9],d=t[10],f=t[11],m=t[12],x=t[13],g=t[14],p=t[15],_=e*a-i*o,w=e*l-n*o,v=e*c-r*o,A=i*l-n*a,S=i*c-r*a,y=n*c-r*l,M=h*x-u*m,I=h*g-d*m,P=h*p-f*m,R=u*g-d*x,U=u*p-f*x,O=d*p-f*g,L=_*O-w*U+v*R+A*P-S*I+y*M;if(L===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let H=1/L;return t[0]=(a*O-l*U+c*R)*H,t[1]=(n*U-i*O-r*R)*H,t[2]=(x*y-g*S+p*A)*H,t[3]=(d*S-u*y-f*A)*H,t[4]=(l*P-o*O-c*I)*H,t[5]=(e*O-n*P+r*I)*H,t[6]=(g*v-m*y-p*w)*H,t[7]=(h*y-d*v+f*w)*H,t[8]=(o*U-a*P+c*M)*H,t[9]=(i*P-e*U-r*M)*H,t[10]=(m*S-x*v+p*_)*H,t[11]=(u*v-h*S-f*_)*H,t[12]=(a*I-o*R-l*M)*H,t[13]=(e*R-i*I+n*M)*H,t[14]=(x*w-m*A-g*_)*H,t[15]=(h*A-u*w+d*_)*H,this}scale(t){let e=this.elements,i=t.x,n=t.y,r=t.z;return e[0]*=i,e[4]*=n,e[8]*=r,e[1]*=i,e[5]*=n,e[9]*=r,e[2]*=i,e[6]*=n,e[10]*=r,e[3]*=i,e[7]*=n,e[11]*=r,this}getMaxScaleOnAxis(){let t=this.elements,e=t[0]*t[0]+t[1]*t[1]+t[2]*t[2],i=t[4]*t[4]+t[5]*t[5]+t[6]*t[6],n=t[8]*t[8]+t[9]*t[9]+t[10]*t[10];return Math.sqrt(Math.max(e,i,n))}makeTranslation(t,e,i){return t.isVector3?this.set(1,0,0,t.x,0,1,0,t.y,0,0,1,t.z,0,0,0,1):this.set(1,0,0,t,0,1,0,e,0,0,1,i,0,0,0,1),this}makeRotationX(t){let e=Math.cos(t),i=Math.sin(t);return this.set(1,0,0,0,0,e,-i,0,0,i,e,0,0,0,0,1),this}makeRotationY(t){let e=Math.cos(t),i=Math.sin(t);return this.set(e,0,i,0,0,1,0,0,-i,0,e,0,0,0,0,1),this}makeRotationZ(t){let e=Math.cos(t),i=Math.sin(t);return this.set(e,-i,0,0,i,e,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(t,e){let i=Math.cos(e),n=Math.sin(e),r=1-i,o=t.x,a=t.y,l=t.z,c=r*o,h=r*a;return this.set(c*o+i,c*a-n*l,c*l+n*a,0,c*a+n*l,h*a+i,h*l-n*o,0,c*l-n*a,h*l+n*o,r*l*l+i,0,0,0,0,1),this}makeScale(t,e,i){return this.set(t,0,0,0,0,e,0,0,0,0,i,0,0,0,0,1),this}makeShear(t,e,i,n,r,o){return this.set(1,i,r,0,t,1,o,0,e,n,1,0,0,0,0,1),this}compose(t,e,i){let n=this.elements,r=e._x,o=e._y,a=e._z,l=e._w,c=r+r,h=o+o,u=a+a,d=r*c,f=r*h,m=r*u,x=o*h,g=o*u,p=a*u,_=l*c,w=l*h,v=l*u,A=i.x,S=i.y,y=i.z;return n[0]=(1-(x+p))*A,n[1]=(f+v)*A,n[2]=(m-w)*A,n[3]=0,n[4]=(f-v)*S,n[5]=(1-(d+p))*S,n[6]=(g+_)*S,n[7]=0,n[8]=(m+w)*y,n[9]=(g-_)*y,n[10]=(1-(d+x))*y,n[11]=0,n[12]=t.x,n[13]=t.y,n[14]=t.z,n[15]=1,this}decompose(t,e,i){let n=this.elements;t.x=n[12],t.y=n[13],t.z=n[14];let r=this.determinantAffine();if(r===0)return i.set(1,1,1),e.identity(),this;let o=xo.set(n[0],n[1],n[2]).length(),a=xo.set(n[4],n[5],n[6]).length(),l=xo.set(n[8],n[9],n[10]).length();r<0&&(o=-o),Hn.copy(this);let c=1/o,h=1/a,u=1/l;return Hn.elements[0]*=c,Hn.elements[1]*=c,Hn.elements[2]*=c,Hn.elements[4]*=h,Hn.elements[5]*=h,Hn.elements[6]*=h,Hn.elements[8]*=u,Hn.elements[9]*=u,Hn.elements[10]*=u,e.setFromRotationMatrix(Hn),i.x=o,i.y=a,i.z=l,this}makePerspective(t,e,i,n,r,o,a=Pn,l=!1){let c=this.elements,h=2*r/(e-t),u=2*r/(i-n),d=(e+t)/(e-t),f=(i+n)/(i-n),m,x;if(l)m=r/(o-r),x=o*r/(o-r);else if(a===Pn)m=-(o+r)/(o-r),x=-2*o*r/(o-r);else if(a===Lo)m=-o/(o-r),x=-o*r/(o-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=d,c[12]=0,c[1]=0,c[5]=u,c[9]=f,c[13]=0,c[2]=0,c[6]=0,c[10]=m,c[14]=x,c[3]=0,c[7]=0,c[11]=-1,c[15]=0,this}makeOrthographic(t,e,i,n,r,o,a=Pn,l=!1){let c=this.elements,h=2/(e-t),u=2/(i-n),d=-(e+t)/(e-t),f=-(i+n)/(i-n),m,x;if(l)m=1/(o-r),x=o/(o-r);else if(a===Pn)m=-2/(o-r),x=-(o+r)/(o-r);else if(a===Lo)m=-1/(o-r),x=-r/(o-r);else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=0,c[12]=d,c[1]=0,c[5]=u,c[9]=0,c[13]=f,c[2]=0,c[6]=0,c[10]=m,c[14]=x,c[3]=0,c[7]=0,c[11]=0,c[15]=1,this}equals(t){let e=this.elements,i=t.elements;for(let n=0;n<16;n++)if(e[n]!==i[n])return!1;return!0}fromArray(t,e=0){for(let i=0;i<16;i++)this.elements[i]=t[i+e];return this}toArray(t=[],e=0){let i=this.elements;return t[e]=i[0],t[e+1]=i[1],t[e+2]=i[2],t[e+3]=i[3],t[e+4]=i[4],t[e+5]=i[5],t[e+6]=i[6],t[e+7]=i[7],t[e+8]=i[8],t[e+9]=i[9],t[e+10]=i[10],t[e+11]=i[11],t[e+12]=i[12],t[e+13]=i[13],t[e+14]=i[14],t[e+15]=i[15],t}},xo=new V,Hn=new Jt,tb=new V(0,0,0),eb=new V(1,1,1),js=new V,fc=new V,vn=new V,Eg=new Jt,Cg=new De,Xi=class s{constructor(t=0,e=0,i=0,n=s.DEFAULT_ORDER){this.isEuler=!0,this._x=t,this._y=e,this._z=i,this._order=n}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get order(){return this._order}set order(t){this._order=t,this._onChangeCallback()}set(t,e,i,n=this._order){return this._x=t,this._y=e,this._z=i,this._order=n,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(t){return this._x=t._x,this._y=t._y,this._z=t._z,this._order=t._order,this._onChangeCallback(),this}setFromRotationMatrix(t,e=this._order,i=!0){let n=t.elements,r=n[0],o=n[4],a=n[8],l=n[1],c=n[5],h=n[9],u=n[2],d=n[6],f=n[10];switch(e){case"XYZ":this._y=Math.asin(xe(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(-h,f),this._z=Math.atan2(-o,r)):(this._x=Math.atan2(d,c),this._z=0);break;case"YXZ":this._x=Math.asin(-xe(h,-1,1)),Math.abs(h)<.9999999?(this._y=Math.atan2(a,f),this._z=Math.atan2(l,c)):(this._y=Math.atan2(-u,r),this._z=0);break;case"ZXY":this._x=Math.asin(xe(d,-1,1)),Math.abs(d)<.9999999?(this._y=Math.atan2(-u,f),this._z=Math.atan2(-o,c)):(this._y=0,this._z=Math.atan2(l,r));break;case"ZYX":this._y=Math.asin(-xe(u,-1,1)),Math.abs(u)<.9999999?(this._x=Math.atan2(d,f),this._z=Math.atan2(l,r)):(this._x=0,this._z=Math.atan2(-o,c));break;case"YZX":this._z=Math.asin(xe(l,-1,1)),Math.abs(l)<.9999999?(this._x=Math.atan2(-h,c),this._y=Math.atan2(-u,r)):(this._x=0,this._y=Math.atan2(a,f));break;case"XZY":this._z=Math.asin(-xe(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(d,c),this._y=Math.atan2(a,r)):(this._x=Math.atan2(-h,f),this._y=0);break;default:jt("Euler: .setFromRotationMatrix() encountered an unknown order: "+e)}return this._order=e,i===!0&&this._onChangeCallback(),this}setFromQuaternion(t,e,i){return Eg.makeRotationFromQuaternion(t),this.setFromRotationMatrix(Eg,e,i)}setFromVector3(t,e=this._order){return this.set(t.x,t.y,t.z,e)}reorder(t){return Cg.setFromEuler(this),this.setFromQuaternion(Cg,t)}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._order===this._order}fromArray(t){return this._x=t[0],this._y=t[1],this._z=t[2],t[3]!==void 0&&(this._order=t[3]),this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._order,t}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};Xi.DEFAULT_ORDER="XYZ";var za=class{constructor(){this.mask=1}set(t){this.mask=(1<<t|0)>>>0}enable(t){this.mask|=1<<t|0}enableAll(){this.mask=-1}toggle(t){this.mask^=1<<t|0}disable(t){this.mask&=~(1<<t|0)}disableAll(){this.mask=0}test(t){return(this.mask&t.mask)!==0}isEnabled(t){return(this.mask&(1<<t|0))!==0}},ib=0,Rg=new V,yo=new De,ws=new Jt,pc=new V,Ta=new V,nb=new V,sb=new De,Pg=new V(1,0,0),Ig=new V(0,1,0),Ng=new V(0,0,1),Lg={type:"added"},rb={type:"removed"},vo={type:"childadded",child:null},Rd={type:"childremoved",child:null},Qe=class s extends qn{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:ib++}),this.uuid=cr(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=s.DEFAULT_UP.clone();let t=new V,e=new Xi,i=new De,n=new V(1,1,1);function r(){i.setFromEuler(e,!1)}function o(){e.setFromQuaternion(i,void 0,!1)}e._onChange(r),i._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:t},rotation:{configurable:!0,enumerable:!0,value:e},quaternion:{configurable:!0,enumerable:!0,value:i},scale:{configurable:!0,enumerable:!0,value:n},modelViewMatrix:{value:new Jt},normalMatrix:{value:new oe}}),this.matrix=new Jt,this.matrixWorld=new Jt,this.matrixAutoUpdate=s.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=s.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new za,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(t){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(t),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(t){return this.quaternion.premultiply(t),this}setRotationFromAxisAngle(t,e){this.quaternion.setFromAxisAngle(t,e)}setRotationFromEuler(t){this.quaternion.setFromEuler(t,!0)}setRotationFromMatrix(t){this.quaternion.setFromRotationMatrix(t)}setRotationFromQuaternion(t){this.quaternion.copy(t)}rotateOnAxis(t,e){return yo.setFromAxisAngle(t,e),this.quaternion.multiply(yo),this}rotateOnWorldAxis(t,e){return yo.setFromAxisAngle(t,e),this.quaternion.premultiply(yo),this}rotateX(t){return this.rotateOnAxis(Pg,t)}rotateY(t){return this.rotateOnAxis(Ig,t)}rotateZ(t){return this.rotateOnAxis(Ng,t)}translateOnAxis(t,e){return Rg.copy(t).applyQuaternion(this.quaternion),this.position.add(Rg.multiplyScalar(e)),this}translateX(t){return this.translateOnAxis(Pg,t)}translateY(t){return this.translateOnAxis(Ig,t)}translateZ(t){return this.translateOnAxis(Ng,t)}localToWorld(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(this.matrixWorld)}worldToLocal(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(ws.copy(this.matrixWorld).invert())}lookAt(t,e,i){t.isVector3?pc.copy(t):pc.set(t,e,i);let n=this.parent;this.updateWorldMatrix(!0,!1),Ta.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?ws.lookAt(Ta,pc,this.up):ws.lookAt(pc,Ta,this.up),this.quaternion.setFromRotationMatrix(ws),n&&(ws.extractRotation(n.matrixWorld),yo.setFromRotationMatrix(ws),this.quaternion.premultiply(yo.invert()))}add(t){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.add(arguments[e]);return this}return t===this?(ne("Object3D.add: object can't be added as a child of itself.",t),this):(t&&t.isObject3D?(t.removeFromParent(),t.parent=this,this.children.push(t),t.dispatchEvent(Lg),vo.child=t,this.dispatchEvent(vo),vo.child=null):ne("Object3D.add: object not an instance of THREE.Object3D.",t),this)}remove(t){if(arguments.length>1){for(let i=0;i<arguments.length;i++)this.remove(arguments[i]);return this}let e=this.children.indexOf(t);return e!==-1&&(t.parent=null,this.children.splice(e,1),t.dispatchEvent(rb),Rd.child=t,this.dispatchEvent(Rd),Rd.child=null),this}removeFromParent(){let t=this.parent;return t!==null&&t.remove(this),this}clear(){return this.remove(...this.children)}attach(t){return this.updateWorldMatrix(!0,!1),ws.copy(this.matrixWorld).invert(),t.parent!==null&&(t.parent.updateWorldMatrix(!0,!1),ws.multiply(t.parent.matrixWorld)),t.applyMatrix4(ws),t.removeFromParent(),t.parent=this,this.children.push(t),t.updateWorldMatrix(!1,!0),t.dispatchEvent(Lg),vo.child=t,this.dispatchEvent(vo),vo.child=null,this}getObjectById(t){return this.getObjectByProperty("id",t)}getObjectByName(t){return this.getObjectByProperty("name",t)}getObjectByProperty(t,e){if(this[t]===e)return this;for(let i=0,n=this.children.length;i<n;i++){let o=this.children[i].getObjectByProperty(t,e);if(o!==void 0)return o}}getObjectsByProperty(t,e,i=[]){this[t]===e&&i.push(this);let n=this.children;for(let r=0,o=n.length;r<o;r++)n[r].getObjectsByProperty(t,e,i);return i}getWorldPosition(t){return this.updateWorldMatrix(!0,!1),t.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Ta,t,nb),t}getWorldScale(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Ta,sb,t),t}getWorldDirection(t){this.updateWorldMatrix(!0,!1);let e=this.matrixWorld.elements;return t.set(e[8],e[9],e[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(t){t(this);let e=this.children;for(let i=0,n=e.length;i<n;i++)e[i].traverse(t)}traverseVisible(t){if(this.visible===!1)return;t(this);let e=this.children;for(let i=0,n=e.length;i<n;i++)e[i].traverseVisible(t)}traverseAncestors(t){let e=this.parent;e!==null&&(t(e),e.traverseAncestors(t))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);let t=this.pivot;if(t!==null){let e=t.x,i=t.y,n=t.z,r=this.matrix.elements;r[12]+=e-r[0]*e-r[4]*i-r[8]*n,r[13]+=i-r[1]*e-r[5]*i-r[9]*n,r[14]+=n-r[2]*e-r[6]*i-r[10]*n}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(t){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||t)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,t=!0);let e=this.children;for(let i=0,n=e.length;i<n;i++)e[i].updateMatrixWorld(t)}updateWorldMatrix(t,e,i=!1){let n=this.parent;if(t===!0&&n!==null&&n.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||i)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,i=!0),e===!0){let r=this.children;for(let o=0,a=r.length;o<a;o++)r[o].updateWorldMatrix(!1,!0,i)}}toJSON(t){let e=t===void 0||typeof t=="string",i={};e&&(t={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},i.metadata={version:4.7,type:"Object",generator:"Object3D.toJSON"});let n={};n.uuid=this.uuid,n.type=this.type,n.name=this.name,n.castShadow=this.castShadow,n.receiveShadow=this.receiveShadow,n.visible=this.visible,n.frustumCulled=this.frustumCulled,n.renderOrder=this.renderOrder,n.static=this.static,n.matrixAutoUpdate=this.matrixAutoUpdate,Object.keys(this.userData).length>0&&(n.userData=this.userData),n.layers=this.layers.mask,n.matrix=this.matrix.toArray(),n.up=this.up.toArray(),this.pivot!==null&&(n.pivot=this.pivot.toArray()),this.morphTargetDictionary!==void 0&&(n.morphTargetDictionary=Object.assign({},this.morphTargetDictionary)),this.morphTargetInfluences!==void 0&&(n.morphTargetInfluences=this.morphTargetInfluences.slice()),this.isInstancedMesh&&(n.type="InstancedMesh",n.count=this.count,n.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(n.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(n.type="BatchedMesh",n.perObjectFrustumCulled=this.perObjectFrustumCulled,n.sortObjects=this.sortObjects,n.drawRanges=this._drawRanges,n.reservedRanges=this._reservedRanges,n.geometryInfo=this._geometryInfo.map(a=>({...a,boundingBox:a.boundingBox?a.boundingBox.toJSON():void 0,boundingSphere:a.boundingSphere?a.boundingSphere.toJSON():void 0})),n.instanceInfo=this._instanceInfo.map(a=>({...a})),n.availableInstanceIds=this._availableInstanceIds.slice(),n.availableGeometryIds=this._availableGeometryIds.slice(),n.nextIndexStart=this._nextIndexStart,n.nextVertexStart=this._nextVertexStart,n.geometryCount=this._geometryCount,n.maxInstanceCount=this._maxInstanceCount,n.maxVertexCount=this._maxVertexCount,n.maxIndexCount=this._maxIndexCount,n.geometryInitialized=this._geometryInitialized,n.matricesTexture=this._matricesTexture.toJSON(t),n.indirectTexture=this._indirectTexture.toJSON(t),this._colorsTexture!==null&&(n.colorsTexture=this._colorsTexture.toJSON(t)),this.boundingSphere!==null&&(n.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(n.boundingBox=this.boundingBox.toJSON()));function r(a,l){return a[l.uuid]===void 0&&(a[l.uuid]=l.toJSON(t)),l.uuid}if(this.isScene)this.background&&(this.background.isColor?n.background=this.background.toJSON():this.background.isTexture&&(n.background=this.background.toJSON(t).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(n.environment=this.environment.toJSON(t).uuid);else if(this.isMesh||this.isLine||this.isPoints){n.geometry=r(t.geometries,this.geometry);let a=this.geometry.parameters;if(a!==void 0&&a.shapes!==void 0){let l=a.shapes;if(Array.isArray(l))for(let c=0,h=l.length;c<h;c++){let u=l[c];r(t.shapes,u)}else r(t.shapes,l)}}if(this.isSkinnedMesh&&(n.bindMode=this.bindMode,n.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(r(t.skeletons,this.skeleton),n.skeleton=this.skeleton.uuid)),this.material!==void 0)if(Array.isArray(this.material)){let a=[];for(let l=0,c=this.material.length;l<c;l++)a.push(r(t.materials,this.material[l]));n.material=a}else n.material=r(t.materials,this.material);if(this.children.length>0){n.children=[];for(let a=0;a<this.children.length;a++)n.children.push(this.children[a].toJSON(t).object)}if(this.animations.length>0){n.animations=[];for(let a=0;a<this.animations.length;a++){let l=this.animations[a];n.animations.push(r(t.animations,l))}}if(e){let a=o(t.geometries),l=o(t.materials),c=o(t.textures),h=o(t.images),u=o(t.shapes),d=o(t.skeletons),f=o(t.animations),m=o(t.nodes);a.length>0&&(i.geometries=a),l.length>0&&(i.materials=l),c.length>0&&(i.textures=c),h.length>0&&(i.images=h),u.length>0&&(i.shapes=u),d.length>0&&(i.skeletons=d),f.length>0&&(i.animations=f),m.length>0&&(i.nodes=m)}return i.object=n,i;function o(a){let l=[];for(let c in a){let h=a[c];delete h.metadata,l.push(h)}return l}}clone(t){return new this.constructor().copy(this,t)}copy(t,e=!0){if(this.name=t.name,this.up.copy(t.up),this.position.copy(t.position),this.rotation.order=t.rotation.order,this.quaternion.copy(t.quaternion),this.scale.copy(t.scale),this.pivot=t.pivot!==null?t.pivot.clone():null,this.matrix.copy(t.matrix),this.matrixWorld.copy(t.matrixWorld),this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrixWorldAutoUpdate=t.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=t.matrixWorldNeedsUpdate,this.layers.mask=t.layers.mask,this.visible=t.visible,this.castShadow=t.castShadow,this.receiveShadow=t.receiveShadow,this.frustumCulled=t.frustumCulled,this.renderOrder=t.renderOrder,this.static=t.static,this.animations=t.animations.slice(),this.userData=JSON.parse(JSON.stringify(t.userData)),e===!0)for(let i=0;i<t.children.length;i++){let n=t.children[i];this.add(n.clone())}return this}dispose(){this.dispatchEvent({type:"dispose"})}};Qe.DEFAULT_UP=new V(0,1,0);Qe.DEFAULT_MATRIX_AUTO_UPDATE=!0;Qe.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var Bi=class extends Qe{constructor(){super(),this.isGroup=!0,this.type="Group"}},ob={type:"move"},Oo=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new Bi,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new Bi,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new V,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new V),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new Bi,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new V,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new V,this._grip.eventsEnabled=!1),this._grip}dispatchEvent(t){return this._targetRay!==null&&this._targetRay.dispatchEvent(t),this._grip!==null&&this._grip.dispatchEvent(t),this._hand!==null&&this._hand.dispatchEvent(t),this}connect(t){if(t&&t.hand){let e=this._hand;if(e)for(let i of t.hand.values())this._getHandJoint(e,i)}return this.dispatchEvent({type:"connected",data:t}),this}disconnect(t){return this.dispatchEvent({type:"disconnected",data:t}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(t,e,i){let n=null,r=null,o=null,a=this._targetRay,l=this._grip,c=this._hand;if(t&&e.session.visibilityState!=="visible-blurred"){if(c&&t.hand){o=!0;for(let x of t.hand.values()){let g=e.getJointPose(x,i),p=this._getHandJoint(c,x);g!==null&&(p.matrix.fromArray(g.transform.matrix),p.matrix.decompose(p.position,p.quaternion,p.scale),p.matrixWorldNeedsUpdate=!0,p.jointRadius=g.radius),p.visible=g!==null}let h=c.joints["index-finger-tip"],u=c.joints["thumb-tip"],d=h.position.distanceTo(u.position),f=.02,m=.005;c.inputState.pinching&&d>f+m?(c.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:t.handedness,target:this})):!c.inputState.pinching&&d<=f-m&&(c.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:t.handedness,target:this}))}else l!==null&&t.gripSpace&&(r=e.getPose(t.gripSpace,i),r!==null&&(l.matrix.fromArray(r.transform.matrix),l.matrix.decompose(l.position,l.quaternion,l.scale),l.matrixWorldNeedsUpdate=!0,r.linearVelocity?(l.hasLinearVelocity=!0,l.linearVelocity.copy(r.linearVelocity)):l.hasLinearVelocity=!1,r.angularVelocity?(l.hasAngularVelocity=!0,l.angularVelocity.copy(r.angularVelocity)):l.hasAngularVelocity=!1,l.eventsEnabled&&l.dispatchEvent({type:"gripUpdated",data:t,target:this})));a!==null&&(n=e.getPose(t.targetRaySpace,i),n===null&&r!==null&&(n=r),n!==null&&(a.matrix.fromArray(n.transform.matrix),a.matrix.decompose(a.position,a.quaternion,a.scale),a.matrixWorldNeedsUpdate=!0,n.linearVelocity?(a.hasLinearVelocity=!0,a.linearVelocity.copy(n.linearVelocity)):a.hasLinearVelocity=!1,n.angularVelocity?(a.hasAngularVelocity=!0,a.angularVelocity.copy(n.angularVelocity)):a.hasAngularVelocity=!1,this.dispatchEvent(ob)))}return a!==null&&(a.visible=n!==null),l!==null&&(l.visible=r!==null),c!==null&&(c.visible=o!==null),this}_getHandJoint(t,e){if(t.joints[e.jointName]===void 0){let i=new Bi;i.matrixAutoUpdate=!1,i.visible=!1,t.joints[e.jointName]=i,t.add(i)}return t.joints[e.jointName]}},J0={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},$s={h:0,s:0,l:0},mc={h:0,s:0,l:0};function Pd(s,t,e){return e<0&&(e+=1),e>1&&(e-=1),e<1/6?s+(t-s)*6*e:e<1/2?t:e<2/3?s+(t-s)*6*(2/3-e):s}var qt=class{constructor(t,e,i){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(t,e,i)}set(t,e,i){if(e===void 0&&i===void 0){let n=t;n&&n.isColor?this.copy(n):typeof n=="number"?this.setHex(n):typeof n=="string"&&this.setStyle(n)}else this.setRGB(t,e,i);return this}setScalar(t){return this.r=t,this.g=t,this.b=t,this}setHex(t,e=Le){return t=Math.floor(t),this.r=(t>>16&255)/255,this.g=(t>>8&255)/255,this.b=(t&255)/255,ue.colorSpaceToWorking(this,e),this}setRGB(t,e,i,n=ue.workingColorSpace){return this.r=t,this.g=e,this.b=i,ue.colorSpaceToWorking(this,n),this}setHSL(t,e,i,n=ue.workingColorSpace){if(t=Ff(t,1),e=xe(e,0,1),i=xe(i,0,1),e===0)this.r=this.g=this.b=i;else{let r=i<=.5?i*(1+e):i+e-i*e,o=2*i-r;this.r=Pd(o,r,t+1/3),this.g=Pd(o,r,t),this.b=Pd(o,r,t-1/3)}return ue.colorSpaceToWorking(this,n),this}setStyle(t,e=Le){function i(r){r!==void 0&&parseFloat(r)<1&&jt("Color: Alpha component of "+t+" will be ignored.")}let n;if(n=/^(\w+)\(([^\)]*)\)/.exec(t)){let r,o=n[1],a=n[2];switch(o){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return i(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,e);if(r=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return i(r[4]),this.setRGB(Math.min(100,parseFloat(r[1]))/100,Math.min(100,parseFloat(r[2]))/100,Math.min(100,parseFloat(r[3]))/100,e);break;case"hsl":case"hsla":if(r=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return i(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,e);break;default:jt("Color: Unknown color model "+t)}}else if(n=/^\#([A-Fa-f\d]+)$/.exec(t)){let r=n[1],o=r.length;if(o===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,e);if(o===6)return this.setHex(parseInt(r,16),e);jt("Color: Invalid hex color "+t)}else if(t&&t.length>0)return this.setColorName(t,e);return this}setColorName(t,e=Le){let i=J0[t.toLowerCase()];return i!==void 0?this.setHex(i,e):jt("Color: Unknown color "+t),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(t){return this.r=t.r,this.g=t.g,this.b=t.b,this}copySRGBToLinear(t){return this.r=Ps(t.r),this.g=Ps(t.g),this.b=Ps(t.b),this}copyLinearToSRGB(t){return this.r=Po(t.r),this.g=Po(t.g),this.b=Po(t.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(t=Le){return ue.workingToColorSpace(Wi.copy(this),t),Math.round(xe(Wi.r*255,0,255))*65536+Math.round(xe(Wi.g*255,0,255))*256+Math.round(xe(Wi.b*255,0,255))}getHexString(t=Le){return("000000"+this.getHex(t).toString(16)).slice(-6)}getHSL(t,e=ue.workingColorSpace){ue.workingToColorSpace(Wi.copy(this),e);let i=Wi.r,n=Wi.g,r=Wi.b,o=Math.max(i,n,r),a=Math.min(i,n,r),l,c,h=(a+o)/2;if(a===o)l=0,c=0;else{let u=o-a;switch(c=h<=.5?u/(o+a):u/(2-o-a),o){case i:l=(n-r)/u+(n<r?6:0);break;case n:l=(r-i)/u+2;break;case r:l=(i-n)/u+4;break}l/=6}return t.h=l,t.s=c,t.l=h,t}getRGB(t,e=ue.workingColorSpace){return ue.workingToColorSpace(Wi.copy(this),e),t.r=Wi.r,t.g=Wi.g,t.b=Wi.b,t}getStyle(t=Le){ue.workingToColorSpace(Wi.copy(this),t);let e=Wi.r,i=Wi.g,n=Wi.b;return t!==Le?`color(${t} ${e.toFixed(3)} ${i.toFixed(3)} ${n.toFixed(3)})`:`rgb(${Math.round(e*255)},${Math.round(i*255)},${Math.round(n*255)})`}offsetHSL(t,e,i){return this.getHSL($s),this.setHSL($s.h+t,$s.s+e,$s.l+i)}add(t){return this.r+=t.r,this.g+=t.g,this.b+=t.b,this}addColors(t,e){return this.r=t.r+e.r,this.g=t.g+e.g,this.b=t.b+e.b,this}addScalar(t){return this.r+=t,this.g+=t,this.b+=t,this}sub(t){return this.r=Math.max(0,this.r-t.r),this.g=Math.max(0,this.g-t.g),this.b=Math.max(0,this.b-t.b),this}multiply(t){return this.r*=t.r,this.g*=t.g,this.b*=t.b,this}multiplyScalar(t){return this.r*=t,this.g*=t,this.b*=t,this}lerp(t,e){return this.r+=(t.r-this.r)*e,this.g+=(t.g-this.g)*e,this.b+=(t.b-this.b)*e,this}lerpColors(t,e,i){return this.r=t.r+(e.r-t.r)*i,this.g=t.g+(e.g-t.g)*i,this.b=t.b+(e.b-t.b)*i,this}lerpHSL(t,e){this.getHSL($s),t.getHSL(mc);let i=Ua($s.h,mc.h,e),n=Ua($s.s,mc.s,e),r=Ua($s.l,mc.l,e);return this.setHSL(i,n,r),this}setFromVector3(t){return this.r=t.x,this.g=t.y,this.b=t.z,this}applyMatrix3(t){let e=this.r,i=this.g,n=this.b,r=t.elements;return this.r=r[0]*e+r[3]*i+r[6]*n,this.g=r[1]*e+r[4]*i+r[7]*n,this.b=r[2]*e+r[5]*i+r[8]*n,this}equals(t){return t.r===this.r&&t.g===this.g&&t.b===this.b}fromArray(t,e=0){return this.r=t[e],this.g=t[e+1],this.b=t[e+2],this}toArray(t=[],e=0){return t[e]=this.r,t[e+1]=this.g,t[e+2]=this.b,t}fromBufferAttribute(t,e){return this.r=t.getX(e),this.g=t.getY(e),this.b=t.getZ(e),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},Wi=new qt;qt.NAMES=J0;var Ir=class extends Qe{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new Xi,this.environmentIntensity=1,this.environmentRotation=new Xi,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(t,e){return super.copy(t,e),this.background=t.background!==null?t.background.clone():null,this.environment=t.environment!==null?t.environment.clone():null,this.fog=t.fog!==null?t.fog.clone():null,this.backgroundBlurriness=t.backgroundBlurriness,this.backgroundIntensity=t.backgroundIntensity,this.backgroundRotation.copy(t.backgroundRotation),this.environmentIntensity=t.environmentIntensity,this.environmentRotation.copy(t.environmentRotation),this.overrideMaterial=t.overrideMaterial!==null?t.overrideMaterial.clone():null,this.matrixAutoUpdate=t.matrixAutoUpdate,this}toJSON(t){let e=super.toJSON(t);return this.fog!==null&&(e.object.fog=this.fog.toJSON()),e.object.backgroundBlurriness=this.backgroundBlurriness,e.object.backgroundIntensity=this.backgroundIntensity,e.object.backgroundRotation=this.backgroundRotation.toArray(),e.object.environmentIntensity=this.environmentIntensity,e.object.environmentRotation=this.environmentRotation.toArray(),e}},Wn=new V,Ts=new V,Id=new V,As=new V,bo=new V,So=new V,Dg=new V,Nd=new V,Ld=new V,Dd=new V,Ud=new Ue,Fd=new Ue,Od=new Ue,ls=class s{constructor(t=new V,e=new V,i=new V){this.a=t,this.b=e,this.c=i}static getNormal(t,e,i,n){n.subVectors(i,e),Wn.subVectors(t,e),n.cross(Wn);let r=n.lengthSq();return r>0?n.multiplyScalar(1/Math.sqrt(r)):n.set(0,0,0)}static getBarycoord(t,e,i,n,r){Wn.subVectors(n,e),Ts.subVectors(i,e),Id.subVectors(t,e);let o=Wn.dot(Wn),a=Wn.dot(Ts),l=Wn.dot(Id),c=Ts.dot(Ts),h=Ts.dot(Id),u=o*c-a*a;if(u===0)return r.set(0,0,0),null;let d=1/u,f=(c*l-a*h)*d,m=(o*h-a*l)*d;return r.set(1-f-m,m,f)}static containsPoint(t,e,i,n){return this.getBarycoord(t,e,i,n,As)===null?!1:As.x>=0&&As.y>=0&&As.x+As.y<=1}static getInterpolation(t,e,i,n,r,o,a,l){return this.getBarycoord(t,e,i,n,As)===null?(l.x=0,l.y=0,"z"in l&&(l.z=0),"w"in l&&(l.w=0),null):(l.setScalar(0),l.addScaledVector(r,As.x),l.addScaledVector(o,As.y),l.addScaledVector(a,As.z),l)}static getInterpolatedAttribute(t,e,i,n,r,o){return Ud.setScalar(0),Fd.setScalar(0),Od.setScalar(0),Ud.fromBufferAttribute(t,e),Fd.fromBufferAttribute(t,i),Od.fromBufferAttribute(t,n),o.setScalar(0),o.addScaledVector(Ud,r.x),o.addScaledVector(Fd,r.y),o.addScaledVector(Od,r.z),o}static isFrontFacing(t,e,i,n){return Wn.subVectors(i,e),Ts.subVectors(t,e),Wn.cross(Ts).dot(n)<0}set(t,e,i){return this.a.copy(t),this.b.copy(e),this.c.copy(i),this}setFromPointsAndIndices(t,e,i,n){return this.a.copy(t[e]),this.b.copy(t[i]),this.c.copy(t[n]),this}setFromAttributeAndIndices(t,e,i,n){return this.a.fromBufferAttribute(t,e),this.b.fromBufferAttribute(t,i),this.c.fromBufferAttribute(t,n),this}clone(){return new this.constructor().copy(this)}copy(t){return this.a.copy(t.a),this.b.copy(t.b),this.c.copy(t.c),this}getArea(){return Wn.subVectors(this.c,this.b),Ts.subVectors(this.a,this.b),Wn.cross(Ts).length()*.5}getMidpoint(t){return t.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(t){return s.getNormal(this.a,this.b,this.c,t)}getPlane(t){return t.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(t,e){return s.getBarycoord(t,this.a,this.b,this.c,e)}getInterpolation(t,e,i,n,r){return s.getInterpolation(t,this.a,this.b,this.c,e,i,n,r)}containsPoint(t){return s.containsPoint(t,this.a,this.b,this.c)}isFrontFacing(t){return s.isFrontFacing(this.a,this.b,this.c,t)}intersectsBox(t){return t.intersectsTriangle(this)}closestPointToPoint(t,e){let i=this.a,n=this.b,r=this.c,o,a;bo.subVectors(n,i),So.subVectors(r,i),Nd.subVectors(t,i);let l=bo.dot(Nd),c=So.dot(Nd);if(l<=0&&c<=0)return e.copy(i);Ld.subVectors(t,n);let h=bo.dot(Ld),u=So.dot(Ld);if(h>=0&&u<=h)return e.copy(n);let d=l*u-h*c;if(d<=0&&l>=0&&h<=0&&l-h>0)return o=l/(l-h),e.copy(i).addScaledVector(bo,o);Dd.subVectors(t,r);let f=bo.dot(Dd),m=So.dot(Dd);if(m>=0&&f<=m)return e.copy(r);let x=f*c-l*m;if(x<=0&&c>=0&&m<=0)return a=c/(c-m),e.copy(i).addScaledVector(So,a);let g=h*m-f*u;if(g<=0&&u-h>=0&&f-m>=0)return Dg.subVectors(r,n),a=(u-h)/(u-h+(f-m)),e.copy(n).addScaledVector(Dg,a);let p=1/(g+x+d);return o=x*p,a=d*p,e.copy(i).addScaledVector(bo,o).addScaledVector(So,a)}equals(t){return t.a.equals(this.a)&&t.b.equals(this.b)&&t.c.equals(this.c)}},Yn=class{constructor(t=new V(1/0,1/0,1/0),e=new V(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=t,this.max=e}set(t,e){return this.min.copy(t),this.max.copy(e),this}setFromArray(t){this.makeEmpty();for(let e=0,i=t.length;e<i;e+=3)this.expandByPoint(Xn.fromArray(t,e));return this}setFromBufferAttribute(t){this.makeEmpty();for(let e=0,i=t.count;e<i;e++)this.expandByPoint(Xn.fromBufferAttribute(t,e));return this}setFromPoints(t){this.makeEmpty();for(let e=0,i=t.length;e<i;e++)this.expandByPoint(t[e]);return this}setFromCenterAndSize(t,e){let i=Xn.copy(e).multiplyScalar(.5);return this.min.copy(t).sub(i),this.max.copy(t).add(i),this}setFromObject(t,e=!1){return this.makeEmpty(),this.expandByObject(t,e)}clone(){return new this.constructor().copy(this)}copy(t){return this.min.copy(t.min),this.max.copy(t.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(t){return this.isEmpty()?t.set(0,0,0):t.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(t){return this.isEmpty()?t.set(0,0,0):t.subVectors(this.max,this.min)}expandByPoint(t){return this.min.min(t),this.max.max(t),this}expandByVector(t){return this.min.sub(t),this.max.add(t),this}expandByScalar(t){return this.min.addScalar(-t),this.max.addScalar(t),this}expandByObject(t,e=!1){t.updateWorldMatrix(!1,!1);let i=t.geometry;if(i!==void 0){let r=i.getAttribute("position");if(e===!0&&r!==void 0&&t.isInstancedMesh!==!0&&t.isBatchedMesh!==!0)for(let o=0,a=r.count;o<a;o++)t.isMesh===!0?t.getVertexPosition(o,Xn):Xn.fromBufferAttribute(r,o),Xn.applyMatrix4(t.matrixWorld),this.expandByPoint(Xn);else t.boundingBox!==void 0?(t.boundingBox===null&&t.computeBoundingBox(),gc.copy(t.boundingBox)):(i.boundingBox===null&&i.computeBoundingBox(),gc.copy(i.boundingBox)),gc.applyMatrix4(t.matrixWorld),this.union(gc)}let n=t.children;for(let r=0,o=n.length;r<o;r++)this.expandByObject(n[r],e);return this}containsPoint(t){return t.x>=this.min.x&&t.x<=this.max.x&&t.y>=this.min.y&&t.y<=this.max.y&&t.z>=this.min.z&&t.z<=this.max.z}containsBox(t){return this.min.x<=t.min.x&&t.max.x<=this.max.x&&this.min.y<=t.min.y&&t.max.y<=this.max.y&&this.min.z<=t.min.z&&t.max.z<=this.max.z}getParameter(t,e){return e.set((t.x-this.min.x)/(this.max.x-this.min.x),(t.y-this.min.y)/(this.max.y-this.min.y),(t.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(t){return t.max.x>=this.min.x&&t.min.x<=this.max.x&&t.max.y>=this.min.y&&t.min.y<=this.max.y&&t.max.z>=this.min.z&&t.min.z<=this.max.z}intersectsSphere(t){return this.clampPoint(t.center,Xn),Xn.distanceToSquared(t.center)<=t.radius*t.radius}intersectsPlane(t){let e,i;return t.normal.x>0?(e=t.normal.x*this.min.x,i=t.normal.x*this.max.x):(e=t.normal.x*this.max.x,i=t.normal.x*this.min.x),t.normal.y>0?(e+=t.normal.y*this.min.y,i+=t.normal.y*this.max.y):(e+=t.normal.y*this.max.y,i+=t.normal.y*this.min.y),t.normal.z>0?(e+=t.normal.z*this.min.z,i+=t.normal.z*this.max.z):(e+=t.normal.z*this.max.z,i+=t.normal.z*this.min.z),e<=-t.constant&&i>=-t.constant}intersectsTriangle(t){if(this.isEmpty())return!1;this.getCenter(Aa),_c.subVectors(this.max,Aa),Mo.subVectors(t.a,Aa),wo.subVectors(t.b,Aa),To.subVectors(t.c,Aa),Js.subVectors(wo,Mo),Zs.subVectors(To,wo),Tr.subVectors(Mo,To);let e=[0,-Js.z,Js.y,0,-Zs.z,Zs.y,0,-Tr.z,Tr.y,Js.z,0,-Js.x,Zs.z,0,-Zs.x,Tr.z,0,-Tr.x,-Js.y,Js.x,0,-Zs.y,Zs.x,0,-Tr.y,Tr.x,0];return!kd(e,Mo,wo,To,_c)||(e=[1,0,0,0,1,0,0,0,1],!kd(e,Mo,wo,To,_c))?!1:(xc.crossVectors(Js,Zs),e=[xc.x,xc.y,xc.z],kd(e,Mo,wo,To,_c))}clampPoint(t,e){return e.copy(t).clamp(this.min,this.max)}distanceToPoint(t){return this.clampPoint(t,Xn).distanceTo(t)}getBoundingSphere(t){return this.isEmpty()?t.makeEmpty():(this.getCenter(t.center),t.radius=this.getSize(Xn).length()*.5),t}intersect(t){return this.min.max(t.min),this.max.min(t.max),this.isEmpty()&&this.makeEmpty(),this}union(t){return this.min.min(t.min),this.max.max(t.max),this}applyMatrix4(t){return this.isEmpty()?this:(Es[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(t),Es[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(t),Es[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(t),Es[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(t),Es[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(t),Es[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(t),Es[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(t),Es[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(t),this.setFromPoints(Es),this)}translate(t){return this.min.add(t),this.max.add(t),this}equals(t){return t.min.equals(this.min)&&t.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(t){return this.min.fromArray(t.min),this.max.fromArray(t.max),this}},Es=[new V,new V,new V,new V,new V,new V,new V,new V],Xn=new V,gc=new Yn,Mo=new V,wo=new V,To=new V,Js=new V,Zs=new V,Tr=new V,Aa=new V,_c=new V,xc=new V,Ar=new V;function kd(s,t,e,i,n){for(let r=0,o=s.length-3;r<=o;r+=3){Ar.fromArray(s,r);let a=n.x*Math.abs(Ar.x)+n.y*Math.abs(Ar.y)+n.z*Math.abs(Ar.z),l=t.dot(Ar),c=e.dot(Ar),h=i.dot(Ar);if(Math.max(-Math.max(l,c,h),Math.min(l,c,h))>a)return!1}return!0}var xi=new V,yc=new $t,ab=0,Ui=class extends qn{constructor(t,e,i=!1){if(super(),Array.isArray(t))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:ab++}),this.name="",this.array=t,this.itemSize=e,this.count=t!==void 0?t.length/e:0,this.normalized=i,this.usage=H0,this.updateRanges=[],this.gpuType=Dn,this.version=0,this._normalizationScale=t!==void 0?kf(t):void 0}onUploadCallback(){}set needsUpdate(t){t===!0&&this.version++}setUsage(t){return this.usage=t,this}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}copy(t){return this.name=t.name,this.array=new t.array.constructor(t.array),this.itemSize=t.itemSize,this.count=t.count,this.normalized=t.normalized,this.usage=t.usage,this.gpuType=t.gpuType,this._normalizationScale=t._normalizationScale,this}copyAt(t,e,i){t*=this.itemSize,i*=e.itemSize;for(let n=0,r=this.itemSize;n<r;n++)this.array[t+n]=e.array[i+n];return this}copyArray(t){return this.array.set(t),this}applyMatrix3(t){if(this.itemSize===2)for(let e=0,i=this.count;e<i;e++)yc.fromBufferAttribute(this,e),yc.applyMatrix3(t),this.setXY(e,yc.x,yc.y);else if(this.itemSize===3)for(let e=0,i=this.count;e<i;e++)xi.fromBufferAttribute(this,e),xi.applyMatrix3(t),this.setXYZ(e,xi.x,xi.y,xi.z);return this}applyMatrix4(t){for(let e=0,i=this.count;e<i;e++)xi.fromBufferAttribute(this,e),xi.applyMatrix4(t),this.setXYZ(e,xi.x,xi.y,xi.z);return this}applyNormalMatrix(t){for(let e=0,i=this.count;e<i;e++)xi.fromBufferAttribute(this,e),xi.applyNormalMatrix(t),this.setXYZ(e,xi.x,xi.y,xi.z);return this}transformDirection(t){for(let e=0,i=this.count;e<i;e++)xi.fromBufferAttribute(this,e),xi.transformDirection(t),this.setXYZ(e,xi.x,xi.y,xi.z);return this}set(t,e=0){return this.array.set(t,e),this}getComponent(t,e){let i=this.array[t*this.itemSize+e];return this.normalized&&(i=this._denormalize(i)),i}setComponent(t,e,i){return this.normalized&&(i=this._normalize(i)),this.array[t*this.itemSize+e]=i,this}getX(t){let e=this.array[t*this.itemSize];return this.normalized&&(e=this._denormalize(e)),e}setX(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize]=e,this}getY(t){let e=this.array[t*this.itemSize+1];return this.normalized&&(e=this._denormalize(e)),e}setY(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+1]=e,this}getZ(t){let e=this.array[t*this.itemSize+2];return this.normalized&&(e=this._denormalize(e)),e}setZ(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+2]=e,this}getW(t){let e=this.array[t*this.itemSize+3];return this.normalized&&(e=this._denormalize(e)),e}setW(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+3]=e,this}setXY(t,e,i){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),i=this._normalize(i)),this.array[t+0]=e,this.array[t+1]=i,this}setXYZ(t,e,i,n){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),i=this._normalize(i),n=this._normalize(n)),this.array[t+0]=e,this.array[t+1]=i,this.array[t+2]=n,this}setXYZW(t,e,i,n,r){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),i=this._normalize(i),n=this._normalize(n),r=this._normalize(r)),this.array[t+0]=e,this.array[t+1]=i,this.array[t+2]=n,this.array[t+3]=r,this}onUpload(t){return this.onUploadCallback=t,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let t={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return t.name=this.name,t.usage=this.usage,t.gpuType=this.gpuType,t}dispose(){this.dispatchEvent({type:"dispose"})}_denormalize(t){let e=this._normalizationScale;return e!==void 0?Math.max(t/e,-1):j0(t,this.array)}_normalize(t){let e=this._normalizationScale;return e!==void 0?Math.round(t*e):$0(t,this.array)}};var Va=class extends Ui{constructor(t,e,i){super(new Uint16Array(t),e,i)}};var Ga=class extends Ui{constructor(t,e,i){super(new Uint32Array(t),e,i)}};var re=class extends Ui{constructor(t,e,i){super(new Float32Array(t),e,i)}},lb=new Yn,Ea=new V,Bd=new V,cs=class{constructor(t=new V,e=-1){this.isSphere=!0,this.center=t,this.radius=e}set(t,e){return this.center.copy(t),this.radius=e,this}setFromPoints(t,e){let i=this.center;e!==void 0?i.copy(e):lb.setFromPoints(t).getCenter(i);let n=0;for(let r=0,o=t.length;r<o;r++)n=Math.max(n,i.distanceToSquared(t[r]));return this.radius=Math.sqrt(n),this}copy(t){return this.center.copy(t.center),this.radius=t.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(t){return t.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(t){return t.distanceTo(this.center)-this.radius}intersectsSphere(t){let e=this.radius+t.radius;return t.center.distanceToSquared(this.center)<=e*e}intersectsBox(t){return t.intersectsSphere(this)}intersectsPlane(t){return Math.abs(t.distanceToPoint(this.center))<=this.radius}clampPoint(t,e){let i=this.center.distanceToSquared(t);return e.copy(t),i>this.radius*this.radius&&(e.sub(this.center).normalize(),e.multiplyScalar(this.radius).add(this.center)),e}getBoundingBox(t){return this.isEmpty()?(t.makeEmpty(),t):(t.set(this.center,this.center),t.expandByScalar(this.radius),t)}applyMatrix4(t){return this.center.applyMatrix4(t),this.radius=this.radius*t.getMaxScaleOnAxis(),this}translate(t){return this.center.add(t),this}expandByPoint(t){if(this.isEmpty())return this.center.copy(t),this.radius=0,this;Ea.subVectors(t,this.center);let e=Ea.lengthSq();if(e>this.radius*this.radius){let i=Math.sqrt(e),n=(i-this.radius)*.5;this.center.addScaledVector(Ea,n/i),this.radius+=n}return this}union(t){return t.isEmpty()?this:this.isEmpty()?(this.copy(t),this):(this.center.equals(t.center)===!0?this.radius=Math.max(this.radius,t.radius):(Bd.subVectors(t.center,this.center).setLength(t.radius),this.expandByPoint(Ea.copy(t.center).add(Bd)),this.expandByPoint(Ea.copy(t.center).sub(Bd))),this)}equals(t){return t.center.equals(this.center)&&t.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(t){return this.radius=t.radius,this.center.fromArray(t.center),this}},cb=0,Rn=new Jt,zd=new Qe,Ao=new V,bn=new Yn,Ca=new Yn,Li=new V,ke=class s extends qn{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:cb++}),this.uuid=cr(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this._transformed=!1}getIndex(){return this.index}setIndex(t){return Array.isArray(t)?this.index=new(Dv(t)?Ga:Va)(t,1):this.index=t,this}setIndirect(t,e=0){return this.indirect=t,this.indirectOffset=e,this}getIndirect(){return this.indirect}getAttribute(t){return this.attributes[t]}setAttribute(t,e){return this.attributes[t]=e,this}deleteAttribute(t){return delete this.attributes[t],this}hasAttribute(t){return this.attributes[t]!==void 0}addGroup(t,e,i=0){this.groups.push({start:t,count:e,materialIndex:i})}clearGroups(){this.groups=[]}setDrawRange(t,e){this.drawRange.start=t,this.drawRange.count=e}applyMatrix4(t){let e=this.attributes.position;e!==void 0&&(e.applyMatrix4(t),e.needsUpdate=!0);let i=this.attributes.normal;if(i!==void 0){let r=new oe().getNormalMatrix(t);i.applyNormalMatrix(r),i.needsUpdate=!0}let n=this.attributes.tangent;return n!==void 0&&(n.transformDirection(t),n.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this._transformed=!0,this}applyQuaternion(t){return Rn.makeRotationFromQuaternion(t),this.applyMatrix4(Rn),this}rotateX(t){return Rn.makeRotationX(t),this.applyMatrix4(Rn),this}rotateY(t){return Rn.makeRotationY(t),this.applyMatrix4(Rn),this}rotateZ(t){return Rn.makeRotationZ(t),this.applyMatrix4(Rn),this}translate(t,e,i){return Rn.makeTranslation(t,e,i),this.applyMatrix4(Rn),this}scale(t,e,i){return Rn.makeScale(t,e,i),this.applyMatrix4(Rn),this}lookAt(t){return zd.lookAt(t),zd.updateMatrix(),this.applyMatrix4(zd.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(Ao).negate(),this.translate(Ao.x,Ao.y,Ao.z),this}setFromPoints(t){let e=this.getAttribute("position");if(e===void 0){let i=[];for(let n=0,r=t.length;n<r;n++){let o=t[n];i.push(o.x,o.y,o.z||0)}this.setAttribute("position",new re(i,3))}else{let i=Math.min(t.length,e.count);for(let n=0;n<i;n++){let r=t[n];e.setXYZ(n,r.x,r.y,r.z||0)}t.length>e.count&&jt("BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),e.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new Yn);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){ne("BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new V(-1/0,-1/0,-1/0),new V(1/0,1/0,1/0));return}if(t!==void 0){if(this.boundingBox.setFromBufferAttribute(t),e)for(let i=0,n=e.length;i<n;i++){let r=e[i];bn.setFromBufferAttribute(r),this.morphTargetsRelative?(Li.addVectors(this.boundingBox.min,bn.min),this.boundingBox.expandByPoint(Li),Li.addVectors(this.boundingBox.max,bn.max),this.boundingBox.expandByPoint(Li)):(this.boundingBox.expandByPoint(bn.min),this.boundingBox.expandByPoint(bn.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&ne('BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new cs);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){ne("BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new V,1/0);return}if(t){let i=this.boundingSphere.center;if(bn.setFromBufferAttribute(t),e)for(let r=0,o=e.length;r<o;r++){let a=e[r];Ca.setFromBufferAttribute(a),this.morphTargetsRelative?(Li.addVectors(bn.min,Ca.min),bn.expandByPoint(Li),Li.addVectors(bn.max,Ca.max),bn.expandByPoint(Li)):(bn.expandByPoint(Ca.min),bn.expandByPoint(Ca.max))}bn.getCenter(i);let n=0;for(let r=0,o=t.count;r<o;r++)Li.fromBufferAttribute(t,r),n=Math.max(n,i.distanceToSquared(Li));if(e)for(let r=0,o=e.length;r<o;r++){let a=e[r],l=this.morphTargetsRelative;for(let c=0,h=a.count;c<h;c++)Li.fromBufferAttribute(a,c),l&&(Ao.fromBufferAttribute(t,c),Li.add(Ao)),n=Math.max(n,i.distanceToSquared(Li))}this.boundingSphere.radius=Math.sqrt(n),isNaN(this.boundingSphere.radius)&&ne('BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){let t=this.index,e=this.attributes;if(t===null||e.position===void 0||e.normal===void 0||e.uv===void 0){ne("BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}let i=e.position,n=e.normal,r=e.uv,o=this.getAttribute("tangent");(o===void 0||o.count!==i.count)&&(o=new Ui(new Float32Array(4*i.count),4),this.setAttribute("tangent",o));let a=[],l=[],c=new Uint8Array(i.count);for(let I=0;I<i.count;I++)a[I]=new V,l[I]=new V;let h=new V,u=new V,d=new V,f=new $t,m=new $t,x=new $t,g=new V,p=new V;function _(I,P,R){c[I]=c[P]=c[R]=1,h.fromBufferAttribute(i,I),u.fromBufferAttribute(i,P),d.fromBufferAttribute(i,R),f.fromBufferAttribute(r,I),m.fromBufferAttribute(r,P),x.fromBufferAttribute(r,R),u.sub(h),d.sub(h),m.sub(f),x.sub(f);let U=1/(m.x*x.y-x.x*m.y);isFinite(U)&&(g.copy(u).multiplyScalar(x.y).addScaledVector(d,-m.y).multiplyScalar(U),p.copy(d).multiplyScalar(m.x).addScaledVector(u,-x.x).multiplyScalar(U),a[I].add(g),a[P].add(g),a[R].add(g),l[I].add(p),l[P].add(p),l[R].add(p))}let w=this.groups;w.length===0&&(w=[{start:0,count:t.count}]);for(let I=0,P=w.length;I<P;++I){let R=w[I],U=R.start,O=R.count;for(let L=U,H=U+O;L<H;L+=3)_(t.getX(L+0),t.getX(L+1),t.getX(L+2))}let v=new V,A=new V,S=new V,y=new V;function M(I){S.fromBufferAttribute(n,I),y.copy(S);let P=a[I];v.copy(P),v.sub(S.multiplyScalar(S.dot(P))).normalize(),A.crossVectors(y,P);let U=A.dot(l[I])<0?-1:1;o.setXYZW(I,v.x,v.y,v.z,U)}for(let I=0,P=i.count;I<P;++I)c[I]&&M(I);this._transformed=!0}computeVertexNormals(){let t=this.index,e=this.getAttribute("position");if(e!==void 0){let i=this.getAttribute("normal");if(i===void 0||i.count!==e.count)i=new Ui(new Float32Array(e.count*3),3),this.setAttribute("normal",i);else for(let d=0,f=i.count;d<f;d++)i.setXYZ(d,0,0,0);let n=new V,r=new V,o=new V,a=new V,l=new V,c=new V,h=new V,u=new V;if(t)for(let d=0,f=t.count;d<f;d+=3){let m=t.getX(d+0),x=t.getX(d+1),g=t.getX(d+2);n.fromBufferAttribute(e,m),r.fromBufferAttribute(e,x),o.fromBufferAttribute(e,g),h.subVectors(o,r),u.subVectors(n,r),h.cross(u),a.fromBufferAttribute(i,m),l.fromBufferAttribute(i,x),c.fromBufferAttribute(i,g),a.add(h),l.add(h),c.add(h),i.setXYZ(m,a.x,a.y,a.z),i.setXYZ(x,l.x,l.y,l.z),i.setXYZ(g,c.x,c.y,c.z)}else for(let d=0,f=e.count;d<f;d+=3)n.fromBufferAttribute(e,d+0),r.fromBufferAttribute(e,d+1),o.fromBufferAttribute(e,d+2),h.subVectors(o,r),u.subVectors(n,r),h.cross(u),i.setXYZ(d+0,h.x,h.y,h.z),i.setXYZ(d+1,h.x,h.y,h.z),i.setXYZ(d+2,h.x,h.y,h.z);this.normalizeNormals(),i.needsUpdate=!0}}normalizeNormals(){let t=this.attributes.normal;for(let e=0,i=t.count;e<i;e++)Li.fromBufferAttribute(t,e),Li.normalize(),t.setXYZ(e,Li.x,Li.y,Li.z)}toNonIndexed(){function t(a,l){let c=a.array,h=a.itemSize,u=a.normalized,d=new c.constructor(l.length*h),f=0,m=0;for(let x=0,g=l.length;x<g;x++){a.isInterleavedBufferAttribute?f=l[x]*a.data.stride+a.offset:f=l[x]*h;for(let p=0;p<h;p++)d[m++]=c[f++]}return new Ui(d,h,u)}if(this.index===null)return jt("BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;let e=new s,i=this.index.array,n=this.attributes;for(let a in n){let l=n[a],c=t(l,i);e.setAttribute(a,c)}let r=this.morphAttributes;for(let a in r){let l=[],c=r[a];for(let h=0,u=c.length;h<u;h++){let d=c[h],f=t(d,i);l.push(f)}e.morphAttributes[a]=l}e.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let a=0,l=o.length;a<l;a++){let c=o[a];e.addGroup(c.start,c.count,c.materialIndex)}return e}toJSON(){let t={metadata:{version:4.7,type:"BufferGeometry",generator:"BufferGeometry.toJSON"}};if(t.uuid=this.uuid,t.type=this.parameters!==void 0&&this._transformed===!0?"BufferGeometry":this.type,t.name=this.name,Object.keys(this.userData).length>0&&(t.userData=this.userData),this.parameters!==void 0&&this._transformed!==!0){let l=this.parameters;for(let c in l)l[c]!==void 0&&(t[c]=l[c]);return t}t.data={attributes:{}};let e=this.index;e!==null&&(t.data.index={type:e.array.constructor.name,array:Array.prototype.slice.call(e.array)});let i=this.attributes;for(let l in i){let c=i[l];t.data.attributes[l]=c.toJSON(t.data)}let n={},r=!1;for(let l in this.morphAttributes){let c=this.morphAttributes[l],h=[];for(let u=0,d=c.length;u<d;u++){let f=c[u];h.push(f.toJSON(t.data))}h.length>0&&(n[l]=h,r=!0)}r&&(t.data.morphAttributes=n,t.data.morphTargetsRelative=this.morphTargetsRelative);let o=this.groups;o.length>0&&(t.data.groups=JSON.parse(JSON.stringify(o)));let a=this.boundingSphere;return a!==null&&(t.data.boundingSphere=a.toJSON()),t}clone(){return new this.constructor().copy(this)}copy(t){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let e={};this.name=t.name;let i=t.index;i!==null&&this.setIndex(i.clone());let n=t.attributes;for(let c in n){let h=n[c];this.setAttribute(c,h.clone(e))}let r=t.morphAttributes;for(let c in r){let h=[],u=r[c];for(let d=0,f=u.length;d<f;d++)h.push(u[d].clone(e));this.morphAttributes[c]=h}this.morphTargetsRelative=t.morphTargetsRelative;let o=t.groups;for(let c=0,h=o.length;c<h;c++){let u=o[c];this.addGroup(u.start,u.count,u.materialIndex)}let a=t.boundingBox;a!==null&&(this.boundingBox=a.clone());let l=t.boundingSphere;return l!==null&&(this.boundingSphere=l.clone()),this.drawRange.start=t.drawRange.start,this.drawRange.count=t.drawRange.count,this.userData=t.userData,this._transformed=t._transformed,this}dispose(){this.dispatchEvent({type:"dispose"})}};var Vd=new V,hb=new V,ub=new oe,Sn=class{constructor(t=new V(1,0,0),e=0){this.isPlane=!0,this.normal=t,this.constant=e}set(t,e){return this.normal.copy(t),this.constant=e,this}setComponents(t,e,i,n){return this.normal.set(t,e,i),this.constant=n,this}setFromNormalAndCoplanarPoint(t,e){return this.normal.copy(t),this.constant=-e.dot(this.normal),this}setFromCoplanarPoints(t,e,i){let n=Vd.subVectors(i,e).cross(hb.subVectors(t,e)).normalize();return this.setFromNormalAndCoplanarPoint(n,t),this}copy(t){return this.normal.copy(t.normal),this.constant=t.constant,this}normalize(){let t=1/this.normal.length();return this.normal.multiplyScalar(t),this.constant*=t,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(t){return this.normal.dot(t)+this.constant}distanceToSphere(t){return this.distanceToPoint(t.center)-t.radius}projectPoint(t,e){return e.copy(t).addScaledVector(this.normal,-this.distanceToPoint(t))}intersectLine(t,e,i=!0){let n=t.delta(Vd),r=this.normal.dot(n);if(r===0)return this.distanceToPoint(t.start)===0?e.copy(t.start):null;let o=-(t.start.dot(this.normal)+this.constant)/r;return i===!0&&(o<0||o>1)?null:e.copy(t.start).addScaledVector(n,o)}intersectsLine(t){let e=this.distanceToPoint(t.start),i=this.distanceToPoint(t.end);return e<0&&i>0||i<0&&e>0}intersectsBox(t){return t.intersectsPlane(this)}intersectsSphere(t){return t.intersectsPlane(this)}coplanarPoint(t){return t.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(t,e){let i=e||ub.getNormalMatrix(t),n=this.coplanarPoint(Vd).applyMatrix4(t),r=this.normal.applyMatrix3(i).normalize();return this.constant=-n.dot(r),this}translate(t){return this.constant-=t.dot(this.normal),this}equals(t){return t.normal.equals(this.normal)&&t.constant===this.constant}clone(){return new this.constructor().copy(this)}toJSON(){return{normal:this.normal.toArray(),constant:this.constant}}fromJSON(t){return this.normal.fromArray(t.normal),this.constant=t.constant,this}},db=0,on=class extends qn{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:db++}),this.uuid=cr(),this.name="",this.type="Material",this.blending=Jo,this.side=fs,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=pf,this.blendDst=mf,this.blendEquation=Vr,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new qt(0,0,0),this.blendAlpha=0,this.depthFunc=No,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=O0,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=Vc,this.stencilZFail=Vc,this.stencilZPass=Vc,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(t){this._alphaTest>0!=t>0&&this.version++,this._alphaTest=t}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(t){if(t!==void 0)for(let e in t){let i=t[e];if(i===void 0){jt(`Material: parameter '${e}' has value of undefined.`);continue}let n=this[e];if(n===void 0){jt(`Material: '${e}' is not a property of THREE.${this.type}.`);continue}n&&n.isColor?n.set(i):n&&n.isVector2&&i&&i.isVector2||n&&n.isEuler&&i&&i.isEuler||n&&n.isVector3&&i&&i.isVector3?n.copy(i):this[e]=i}}toJSON(t){let e=t===void 0||typeof t=="string";e&&(t={textures:{},images:{}});let i={metadata:{version:4.7,type:"Material",generator:"Material.toJSON"}};i.uuid=this.uuid,i.type=this.type,i.blending=this.blending,i.side=this.side,i.shadowSide=this.shadowSide,i.vertexColors=this.vertexColors,i.opacity=this.opacity,i.transparent=this.transparent,i.blendSrc=this.blendSrc,i.blendDst=this.blendDst,i.blendEquation=this.blendEquation,i.blendSrcAlpha=this.blendSrcAlpha,i.blendDstAlpha=this.blendDstAlpha,i.blendEquationAlpha=this.blendEquationAlpha,i.blendColor=this.blendColor.getHex(),i.blendAlpha=this.blendAlpha,i.depthFunc=this.depthFunc,i.depthTest=this.depthTest,i.depthWrite=this.depthWrite,i.colorWrite=this.colorWrite,i.clipIntersection=this.clipIntersection,i.clipShadows=this.clipShadows,i.stencilWriteMask=this.stencilWriteMask,i.stencilFunc=this.stencilFunc,i.stencilRef=this.stencilRef,i.stencilFuncMask=this.stencilFuncMask,i.stencilFail=this.stencilFail,i.stencilZFail=this.stencilZFail,i.stencilZPass=this.stencilZPass,i.stencilWrite=this.stencilWrite,i.polygonOffset=this.polygonOffset,i.polygonOffsetFactor=this.polygonOffsetFactor,i.polygonOffsetUnits=this.polygonOffsetUnits,i.dithering=this.dithering,i.alphaTest=this.alphaTest,i.alphaHash=this.alphaHash,i.alphaToCoverage=this.alphaToCoverage,i.premultipliedAlpha=this.premultipliedAlpha,i.forceSinglePass=this.forceSinglePass,i.allowOverride=this.allowOverride,i.visible=this.visible,i.toneMapped=this.toneMapped,i.name=this.name,this.color&&this.color.isColor&&(i.color=this.color.getHex()),this.roughness!==void 0&&(i.roughness=this.roughness),this.metalness!==void 0&&(i.metalness=this.metalness),this.sheen!==void 0&&(i.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(i.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(i.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(i.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&(i.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(i.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(i.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(i.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(i.shininess=this.shininess),this.clearcoat!==void 0&&(i.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(i.clearcoatRoughness=this.clearcoatRoughness),this.diffuseRoughness!==void 0&&(i.diffuseRoughness=this.diffuseRoughness),this.diffuseRoughnessMap&&this.diffuseRoughnessMap.isTexture&&(i.diffuseRoughnessMap=this.diffuseRoughnessMap.toJSON(t).uuid),this.clearcoatMap&&this.clearcoatMap.isTexture&&(i.clearcoatMap=this.clearcoatMap.toJSON(t).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(i.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(t).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(i.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(t).uuid,i.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(i.sheenColorMap=this.sheenColorMap.toJSON(t).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(i.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(t).uuid),this.dispersion!==void 0&&(i.dispersion=this.dispersion),this.retroreflectivity!==void 0&&(i.retroreflectivity=this.retroreflectivity),this.iridescence!==void 0&&(i.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(i.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessMinimum!==void 0&&(i.iridescenceThicknessMinimum=this.iridescenceThicknessMinimum),this.iridescenceThicknessMaximum!==void 0&&(i.iridescenceThicknessMaximum=this.iridescenceThicknessMaximum),this.iridescenceMap&&this.iridescenceMap.isTexture&&(i.iridescenceMap=this.iridescenceMap.toJSON(t).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(i.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(t).uuid),this.anisotropy!==void 0&&(i.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(i.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(i.anisotropyMap=this.anisotropyMap.toJSON(t).uuid),this.map&&this.map.isTexture&&(i.map=this.map.toJSON(t).uuid),this.matcap&&this.matcap.isTexture&&(i.matcap=this.matcap.toJSON(t).uuid),this.alphaMap&&this.alphaMap.isTexture&&(i.alphaMap=this.alphaMap.toJSON(t).uuid),this.lightMap&&this.lightMap.isTexture&&(i.lightMap=this.lightMap.toJSON(t).uuid,i.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(i.aoMap=this.aoMap.toJSON(t).uuid,i.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(i.bumpMap=this.bumpMap.toJSON(t).uuid,i.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(i.normalMap=this.normalMap.toJSON(t).uuid,i.normalMapType=this.normalMapType,i.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(i.displacementMap=this.displacementMap.toJSON(t).uuid,i.displacementScale=this.displacementScale,i.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(i.roughnessMap=this.roughnessMap.toJSON(t).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(i.metalnessMap=this.metalnessMap.toJSON(t).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(i.emissiveMap=this.emissiveMap.toJSON(t).uuid),this.specularMap&&this.specularMap.isTexture&&(i.specularMap=this.specularMap.toJSON(t).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(i.specularIntensityMap=this.specularIntensityMap.toJSON(t).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(i.specularColorMap=this.specularColorMap.toJSON(t).uuid),this.envMap&&this.envMap.isTexture&&(i.envMap=this.envMap.toJSON(t).uuid,this.combine!==void 0&&(i.combine=this.combine)),this.envMapRotation!==void 0&&(i.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(i.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(i.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(i.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(i.gradientMap=this.gradientMap.toJSON(t).uuid),this.transmission!==void 0&&(i.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(i.transmissionMap=this.transmissionMap.toJSON(t).uuid),this.thickness!==void 0&&(i.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(i.thicknessMap=this.thicknessMap.toJSON(t).uuid),this.attenuationDistance!==void 0&&(i.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(i.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(i.size=this.size),this.sizeAttenuation!==void 0&&(i.sizeAttenuation=this.sizeAttenuation),Array.isArray(this.clippingPlanes)&&this.clippingPlanes.length>0&&(i.clippingPlanes=this.clippingPlanes.map(r=>r.toJSON())),this.rotation!==void 0&&(i.rotation=this.rotation),this.depthPacking!==void 0&&(i.depthPacking=this.depthPacking),this.linewidth!==void 0&&(i.linewidth=this.linewidth),this.linecap!==void 0&&(i.linecap=this.linecap),this.linejoin!==void 0&&(i.linejoin=this.linejoin),this.dashSize!==void 0&&(i.dashSize=this.dashSize),this.gapSize!==void 0&&(i.gapSize=this.gapSize),this.scale!==void 0&&(i.scale=this.scale),this.wireframe!==void 0&&(i.wireframe=this.wireframe),this.wireframeLinewidth!==void 0&&(i.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!==void 0&&(i.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!==void 0&&(i.wireframeLinejoin=this.wireframeLinejoin),this.flatShading!==void 0&&(i.flatShading=this.flatShading),this.fog!==void 0&&(i.fog=this.fog),Object.keys(this.userData).length>0&&(i.userData=this.userData);function n(r){let o=[];for(let a in r){let l=r[a];delete l.metadata,o.push(l)}return o}if(e){let r=n(t.textures),o=n(t.images);r.length>0&&(i.textures=r),o.length>0&&(i.images=o)}return i}fromJSON(t,e){if(t.uuid!==void 0&&(this.uuid=t.uuid),t.name!==void 0&&(this.name=t.name),t.color!==void 0&&this.color!==void 0&&this.color.setHex(t.color),t.roughness!==void 0&&(this.roughness=t.roughness),t.metalness!==void 0&&(this.metalness=t.metalness),t.sheen!==void 0&&(this.sheen=t.sheen),t.sheenColor!==void 0&&(this.sheenColor=new qt().setHex(t.sheenColor)),t.sheenRoughness!==void 0&&(this.sheenRoughness=t.sheenRoughness),t.emissive!==void 0&&this.emissive!==void 0&&this.emissive.setHex(t.emissive),t.specular!==void 0&&this.specular!==void 0&&this.specular.setHex(t.specular),t.specularIntensity!==void 0&&(this.specularIntensity=t.specularIntensity),t.specularColor!==void 0&&this.specularColor!==void 0&&this.specularColor.setHex(t.specularColor),t.shininess!==void 0&&(this.shininess=t.shininess),t.clearcoat!==void 0&&(this.clearcoat=t.clearcoat),t.clearcoatRoughness!==void 0&&(this.clearcoatRoughness=t.clearcoatRoughness),t.diffuseRoughness!==void 0&&(this.diffuseRoughness=t.diffuseRoughness),t.dispersion!==void 0&&(this.dispersion=t.dispersion),t.retroreflectivity!==void 0&&(this.retroreflectivity=t.retroreflectivity),t.iridescence!==void 0&&(this.iridescence=t.iridescence),t.iridescenceIOR!==void 0&&(this.iridescenceIOR=t.iridescenceIOR),t.iridescenceThicknessMinimum!==void 0&&(this.iridescenceThicknessMinimum=t.iridescenceThicknessMinimum),t.iridescenceThicknessMaximum!==void 0&&(this.iridescenceThicknessMaximum=t.iridescenceThicknessMaximum),t.iridescenceThicknessRange!==void 0&&(this.iridescenceThicknessMinimum=t.iridescenceThicknessRange[0],this.iridescenceThicknessMaximum=t.iridescenceThicknessRange[1]),t.transmission!==void 0&&(this.transmission=t.transmission),t.thickness!==void 0&&(this.thickness=t.thickness),t.attenuationDistance!==void 0&&(this.attenuationDistance=t.attenuationDistance),t.attenuationColor!==void 0&&this.attenuationColor!==void 0&&this.attenuationColor.setHex(t.attenuationColor),t.anisotropy!==void 0&&(this.anisotropy=t.anisotropy),t.anisotropyRotation!==void 0&&(this.anisotropyRotation=t.anisotropyRotation),t.fog!==void 0&&(this.fog=t.fog),t.flatShading!==void 0&&(this.flatShading=t.flatShading),t.blending!==void 0&&(this.blending=t.blending),t.combine!==void 0&&(this.combine=t.combine),t.side!==void 0&&(this.side=t.side),t.shadowSide!==void 0&&(this.shadowSide=t.shadowSide),t.opacity!==void 0&&(this.opacity=t.opacity),t.transparent!==void 0&&(this.transparent=t.transparent),t.alphaTest!==void 0&&(this.alphaTest=t.alphaTest),t.alphaHash!==void 0&&(this.alphaHash=t.alphaHash),t.depthFunc!==void 0&&(this.depthFunc=t.depthFunc),t.depthTest!==void 0&&(this.depthTest=t.depthTest),t.depthWrite!==void 0&&(this.depthWrite=t.depthWrite),t.colorWrite!==void 0&&(this.colorWrite=t.colorWrite),t.clippingPlanes!==void 0&&(this.clippingPlanes=t.clippingPlanes.map(i=>new Sn().fromJSON(i))),t.clipIntersection!==void 0&&(this.clipIntersection=t.clipIntersection),t.clipShadows!==void 0&&(this.clipShadows=t.clipShadows),t.depthPacking!==void 0&&(this.depthPacking=t.depthPacking),t.blendSrc!==void 0&&(this.blendSrc=t.blendSrc),t.blendDst!==void 0&&(this.blendDst=t.blendDst),t.blendEquation!==void 0&&(this.blendEquation=t.blendEquation),t.blendSrcAlpha!==void 0&&(this.blendSrcAlpha=t.blendSrcAlpha),t.blendDstAlpha!==void 0&&(this.blendDstAlpha=t.blendDstAlpha),t.blendEquationAlpha!==void 0&&(this.blendEquationAlpha=t.blendEquationAlpha),t.blendColor!==void 0&&this.blendColor!==void 0&&this.blendColor.setHex(t.blendColor),t.blendAlpha!==void 0&&(this.blendAlpha=t.blendAlpha),t.stencilWriteMask!==void 0&&(this.stencilWriteMask=t.stencilWriteMask),t.stencilFunc!==void 0&&(this.stencilFunc=t.stencilFunc),t.stencilRef!==void 0&&(this.stencilRef=t.stencilRef),t.stencilFuncMask!==void 0&&(this.stencilFuncMask=t.stencilFuncMask),t.stencilFail!==void 0&&(this.stencilFail=t.stencilFail),t.stencilZFail!==void 0&&(this.stencilZFail=t.stencilZFail),t.stencilZPass!==void 0&&(this.stencilZPass=t.stencilZPass),t.stencilWrite!==void 0&&(this.stencilWrite=t.stencilWrite),t.wireframe!==void 0&&(this.wireframe=t.wireframe),t.wireframeLinewidth!==void 0&&(this.wireframeLinewidth=t.wireframeLinewidth),t.wireframeLinecap!==void 0&&(this.wireframeLinecap=t.wireframeLinecap),t.wireframeLinejoin!==void 0&&(this.wireframeLinejoin=t.wireframeLinejoin),t.rotation!==void 0&&(this.rotation=t.rotation),t.linewidth!==void 0&&(this.linewidth=t.linewidth),t.linecap!==void 0&&(this.linecap=t.linecap),t.linejoin!==void 0&&(this.linejoin=t.linejoin),t.dashSize!==void 0&&(this.dashSize=t.dashSize),t.gapSize!==void 0&&(this.gapSize=t.gapSize),t.scale!==void 0&&(this.scale=t.scale),t.polygonOffset!==void 0&&(this.polygonOffset=t.polygonOffset),t.polygonOffsetFactor!==void 0&&(this.polygonOffsetFactor=t.polygonOffsetFactor),t.polygonOffsetUnits!==void 0&&(this.polygonOffsetUnits=t.polygonOffsetUnits),t.dithering!==void 0&&(this.dithering=t.dithering),t.alphaToCoverage!==void 0&&(this.alphaToCoverage=t.alphaToCoverage),t.premultipliedAlpha!==void 0&&(this.premultipliedAlpha=t.premultipliedAlpha),t.forceSinglePass!==void 0&&(this.forceSinglePass=t.forceSinglePass),t.allowOverride!==void 0&&(this.allowOverride=t.allowOverride),t.visible!==void 0&&(this.visible=t.visible),t.toneMapped!==void 0&&(this.toneMapped=t.toneMapped),t.userData!==void 0&&(this.userData=t.userData),t.vertexColors!==void 0&&(typeof t.vertexColors=="number"?this.vertexColors=t.vertexColors>0:this.vertexColors=t.vertexColors),t.size!==void 0&&(this.size=t.size),t.sizeAttenuation!==void 0&&(this.sizeAttenuation=t.sizeAttenuation),t.map!==void 0&&(this.map=e[t.map]||null),t.matcap!==void 0&&(this.matcap=e[t.matcap]||null),t.alphaMap!==void 0&&(this.alphaMap=e[t.alphaMap]||null),t.bumpMap!==void 0&&(this.bumpMap=e[t.bumpMap]||null),t.bumpScale!==void 0&&(this.bumpScale=t.bumpScale),t.normalMap!==void 0&&(this.normalMap=e[t.normalMap]||null),t.normalMapType!==void 0&&(this.normalMapType=t.normalMapType),t.normalScale!==void 0){let i=t.normalScale;Array.isArray(i)===!1&&(i=[i,i]),this.normalScale=new $t().fromArray(i)}return t.displacementMap!==void 0&&(this.displacementMap=e[t.displacementMap]||null),t.displacementScale!==void 0&&(this.displacementScale=t.displacementScale),t.displacementBias!==void 0&&(this.displacementBias=t.displacementBias),t.roughnessMap!==void 0&&(this.roughnessMap=e[t.roughnessMap]||null),t.metalnessMap!==void 0&&(this.metalnessMap=e[t.metalnessMap]||null),t.emissiveMap!==void 0&&(this.emissiveMap=e[t.emissiveMap]||null),t.emissiveIntensity!==void 0&&(this.emissiveIntensity=t.emissiveIntensity),t.specularMap!==void 0&&(this.specularMap=e[t.specularMap]||null),t.specularIntensityMap!==void 0&&(this.specularIntensityMap=e[t.specularIntensityMap]||null),t.specularColorMap!==void 0&&(this.specularColorMap=e[t.specularColorMap]||null),t.envMap!==void 0&&(this.envMap=e[t.envMap]||null),t.envMapRotation!==void 0&&this.envMapRotation.fromArray(t.envMapRotation),t.envMapIntensity!==void 0&&(this.envMapIntensity=t.envMapIntensity),t.reflectivity!==void 0&&(this.reflectivity=t.reflectivity),t.refractionRatio!==void 0&&(this.refractionRatio=t.refractionRatio),t.lightMap!==void 0&&(this.lightMap=e[t.lightMap]||null),t.lightMapIntensity!==void 0&&(this.lightMapIntensity=t.lightMapIntensity),t.aoMap!==void 0&&(this.aoMap=e[t.aoMap]||null),t.aoMapIntensity!==void 0&&(this.aoMapIntensity=t.aoMapIntensity),t.gradientMap!==void 0&&(this.gradientMap=e[t.gradientMap]||null),t.clearcoatMap!==void 0&&(this.clearcoatMap=e[t.clearcoatMap]||null),t.clearcoatRoughnessMap!==void 0&&(this.clearcoatRoughnessMap=e[t.clearcoatRoughnessMap]||null),t.clearcoatNormalMap!==void 0&&(this.clearcoatNormalMap=e[t.clearcoatNormalMap]||null),t.clearcoatNormalScale!==void 0&&(this.clearcoatNormalScale=new $t().fromArray(t.clearcoatNormalScale)),t.diffuseRoughnessMap!==void 0&&(this.diffuseRoughnessMap=e[t.diffuseRoughnessMap]||null),t.iridescenceMap!==void 0&&(this.iridescenceMap=e[t.iridescenceMap]||null),t.iridescenceThicknessMap!==void 0&&(this.iridescenceThicknessMap=e[t.iridescenceThicknessMap]||null),t.transmissionMap!==void 0&&(this.transmissionMap=e[t.transmissionMap]||null),t.thicknessMap!==void 0&&(this.thicknessMap=e[t.thicknessMap]||null),t.anisotropyMap!==void 0&&(this.anisotropyMap=e[t.anisotropyMap]||null),t.sheenColorMap!==void 0&&(this.sheenColorMap=e[t.sheenColorMap]||null),t.sheenRoughnessMap!==void 0&&(this.sheenRoughnessMap=e[t.sheenRoughnessMap]||null),this}clone(){return new this.constructor().copy(this)}copy(t){this.name=t.name,this.blending=t.blending,this.side=t.side,this.vertexColors=t.vertexColors,this.opacity=t.opacity,this.transparent=t.transparent,this.blendSrc=t.blendSrc,this.blendDst=t.blendDst,this.blendEquation=t.blendEquation,this.blendSrcAlpha=t.blendSrcAlpha,this.blendDstAlpha=t.blendDstAlpha,this.blendEquationAlpha=t.blendEquationAlpha,this.blendColor.copy(t.blendColor),this.blendAlpha=t.blendAlpha,this.depthFunc=t.depthFunc,this.depthTest=t.depthTest,this.depthWrite=t.depthWrite,this.stencilWriteMask=t.stencilWriteMask,this.stencilFunc=t.stencilFunc,this.stencilRef=t.stencilRef,this.stencilFuncMask=t.stencilFuncMask,this.stencilFail=t.stencilFail,this.stencilZFail=t.stencilZFail,this.stencilZPass=t.stencilZPass,this.stencilWrite=t.stencilWrite;let e=t.clippingPlanes,i=null;if(e!==null){let n=e.length;i=new Array(n);for(let r=0;r!==n;++r)i[r]=e[r].clone()}return this.clippingPlanes=i,this.clipIntersection=t.clipIntersection,this.clipShadows=t.clipShadows,this.shadowSide=t.shadowSide,this.colorWrite=t.colorWrite,this.precision=t.precision,this.polygonOffset=t.polygonOffset,this.polygonOffsetFactor=t.polygonOffsetFactor,this.polygonOffsetUnits=t.polygonOffsetUnits,this.dithering=t.dithering,this.alphaTest=t.alphaTest,this.alphaHash=t.alphaHash,this.alphaToCoverage=t.alphaToCoverage,this.premultipliedAlpha=t.premultipliedAlpha,this.forceSinglePass=t.forceSinglePass,this.allowOverride=t.allowOverride,this.visible=t.visible,this.toneMapped=t.toneMapped,this.userData=JSON.parse(JSON.stringify(t.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(t){t===!0&&this.version++}};var Cs=new V,Gd=new V,vc=new V,bc=new V,Ls=class{constructor(t=new V,e=new V(0,0,-1)){this.origin=t,this.direction=e}set(t,e){return this.origin.copy(t),this.direction.copy(e),this}copy(t){return this.origin.copy(t.origin),this.direction.copy(t.direction),this}at(t,e){return e.copy(this.origin).addScaledVector(this.direction,t)}lookAt(t){return this.direction.copy(t).sub(this.origin).normalize(),this}recast(t){return this.origin.copy(this.at(t,Cs)),this}closestPointToPoint(t,e){e.subVectors(t,this.origin);let i=e.dot(this.direction);return i<0?e.copy(this.origin):e.copy(this.origin).addScaledVector(this.direction,i)}distanceToPoint(t){return Math.sqrt(this.distanceSqToPoint(t))}distanceSqToPoint(t){let e=Cs.subVectors(t,this.origin).dot(this.direction);return e<0?this.origin.distanceToSquared(t):(Cs.copy(this.origin).addScaledVector(this.direction,e),Cs.distanceToSquared(t))}distanceSqToSegment(t,e,i,n){Gd.copy(t).add(e).multiplyScalar(.5),vc.copy(e).sub(t).normalize(),bc.copy(this.origin).sub(Gd);let r=t.distanceTo(e)*.5,o=-this.direction.dot(vc),a=bc.dot(this.direction),l=-bc.dot(vc),c=bc.lengthSq(),h=Math.abs(1-o*o),u,d,f,m;if(h>0)if(u=o*l-a,d=o*a-l,m=r*h,u>=0)if(d>=-m)if(d<=m){let x=1/h;u*=x,d*=x,f=u*(u+o*d+2*a)+d*(o*u+d+2*l)+c}else d=r,u=Math.max(0,-(o*d+a)),f=-u*u+d*(d+2*l)+c;else d=-r,u=Math.max(0,-(o*d+a)),f=-u*u+d*(d+2*l)+c;else d<=-m?(u=Math.max(0,-(-o*r+a)),d=u>0?-r:Math.min(Math.max(-r,-l),r),f=-u*u+d*(d+2*l)+c):d<=m?(u=0,d=Math.min(Math.max(-r,-l),r),f=d*(d+2*l)+c):(u=Math.max(0,-(o*r+a)),d=u>0?r:Math.min(Math.max(-r,-l),r),f=-u*u+d*(d+2*l)+c);else d=o>0?-r:r,u=Math.max(0,-(o*d+a)),f=-u*u+d*(d+2*l)+c;return i&&i.copy(this.origin).addScaledVector(this.direction,u),n&&n.copy(Gd).addScaledVector(vc,d),f}intersectSphere(t,e){if(t.radius<0)return null;Cs.subVectors(t.center,this.origin);let i=Cs.dot(this.direction),n=Cs.dot(Cs)-i*i,r=t.radius*t.radius;if(n>r)return null;let o=Math.sqrt(r-n),a=i-o,l=i+o;return l<0?null:a<0?this.at(l,e):this.at(a,e)}intersectsSphere(t){return t.radius<0?!1:this.distanceSqToPoint(t.center)<=t.radius*t.radius}distanceToPlane(t){let e=t.normal.dot(this.direction);if(e===0)return t.distanceToPoint(this.origin)===0?0:null;let i=-(this.origin.dot(t.normal)+t.constant)/e;return i>=0?i:null}intersectPlane(t,e){let i=this.distanceToPlane(t);return i===null?null:this.at(i,e)}intersectsPlane(t){let e=t.distanceToPoint(this.origin);return e===0||t.normal.dot(this.direction)*e<0}intersectBox(t,e){let i,n,r,o,a,l,c=1/this.direction.x,h=1/this.direction.y,u=1/this.direction.z,d=this.origin;return c>=0?(i=(t.min.x-d.x)*c,n=(t.max.x-d.x)*c):(i=(t.max.x-d.x)*c,n=(t.min.x-d.x)*c),h>=0?(r=(t.min.y-d.y)*h,o=(t.max.y-d.y)*h):(r=(t.max.y-d.y)*h,o=(t.min.y-d.y)*h),i>o||r>n||((r>i||isNaN(i))&&(i=r),(o<n||isNaN(n))&&(n=o),u>=0?(a=(t.min.z-d.z)*u,l=(t.max.z-d.z)*u):(a=(t.max.z-d.z)*u,l=(t.min.z-d.z)*u),i>l||a>n)||((a>i||i!==i)&&(i=a),(l<n||n!==n)&&(n=l),n<0)?null:this.at(i>=0?i:n,e)}intersectsBox(t){return this.intersectBox(t,Cs)!==null}intersectTriangle(t,e,i,n,r){let o=this.origin,a=this.direction,l=a.x,c=a.y,h=a.z,u=t.x-o.x,d=t.y-o.y,f=t.z-o.z,m=e.x-o.x,x=e.y-o.y,g=e.z-o.z,p=i.x-o.x,_=i.y-o.y,w=i.z-o.z,v=Math.abs(l),A=Math.abs(c),S=Math.abs(h),y,M,I,P,R,U,O,L,H,k,G,it;if(v>=A&&v>=S?(I=l,U=u,H=m,it=p,l>=0?(y=c,M=h,P=d,R=f,O=x,L=g,k=_,G=w):(y=h,M=c,P=f,R=d,O=g,L=x,k=w,G=_)):A>=S?(I=c,U=d,H=x,it=_,c>=0?(y=h,M=l,P=f,R=u,O=g,L=m,k=w,G=p):(y=l,M=h,P=u,R=f,O=m,L=g,k=p,G=w)):(I=h,U=f,H=g,it=w,h>=0?(y=l,M=c,P=u,R=d,O=m,L=x,k=p,G=_):(y=c,M=l,P=d,R=u,O=x,L=m,k=_,G=p)),I===0)return null;let Y=y/I,J=M/I,Q=1/I,ct=P-Y*U,nt=R-J*U,q=O-Y*H,st=L-J*H,et=k-Y*it,at=G-J*it,gt=et*st-at*q,Ut=ct*at-nt*et,Kt=q*nt-st*ct;if(n){if(gt<0||Ut<0||Kt<0)return null}else if((gt<0||Ut<0||Kt<0)&&(gt>0||Ut>0||Kt>0))return null;let kt=gt+Ut+Kt;if(kt===0)return null;let me=Q*(gt*U+Ut*H+Kt*it);return(kt>0?me<0:me>0)?null:this.at(me/kt,r)}applyMatrix4(t){return this.origin.applyMatrix4(t),this.direction.transformDirection(t),this}equals(t){return t.origin.equals(this.origin)&&t.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},jn=class extends on{constructor(t){super(),this.isMeshBasicMaterial=!0,this.type="MeshBasicMaterial",this.color=new qt(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Xi,this.combine=cl,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.fog=t.fog,this}},Ug=new Jt,Er=new Ls,Sc=new cs,Fg=new V,Mc=new V,wc=new V,Tc=new V,Hd=new V,Ac=new V,Og=new V,Ec=new V,Ge=class extends Qe{constructor(t=new ke,e=new jn){super(),this.isMesh=!0,this.type="Mesh",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}updateMorphTargets(){let e=this.geometry.morphAttributes,i=Object.keys(e);if(i.length>0){let n=e[i[0]];if(n!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=n.length;r<o;r++){let a=n[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}getVertexPosition(t,e){let i=this.geometry,n=i.attributes.position,r=i.morphAttributes.position,o=i.morphTargetsRelative;e.fromBufferAttribute(n,t);let a=this.morphTargetInfluences;if(r&&a){Ac.set(0,0,0);for(let l=0,c=r.length;l<c;l++){let h=a[l],u=r[l];h!==0&&(Hd.fromBufferAttribute(u,t),o?Ac.addScaledVector(Hd,h):Ac.addScaledVector(Hd.sub(e),h))}e.add(Ac)}return e}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let i=this.geometry,n=this.material,r=this.matrixWorld;n!==void 0&&(i.boundingSphere===null&&i.computeBoundingSphere(),Sc.copy(i.boundingSphere),Sc.applyMatrix4(r),Er.copy(t.ray).recast(t.near),!(Sc.containsPoint(Er.origin)===!1&&(Er.intersectSphere(Sc,Fg)===null||Er.origin.distanceToSquared(Fg)>(t.far-t.near)**2))&&(Ug.copy(r).invert(),Er.copy(t.ray).applyMatrix4(Ug),!(i.boundingBox!==null&&Er.intersectsBox(i.boundingBox)===!1)&&this._computeIntersections(t,e,Er)))}_computeIntersections(t,e,i){let n,r=this.geometry,o=this.material,a=r.index,l=r.attributes.position,c=r.attributes.uv,h=r.attributes.uv1,u=r.attributes.normal,d=r.groups,f=r.drawRange;if(a!==null)if(Array.isArray(o))for(let m=0,x=d.length;m<x;m++){let g=d[m],p=o[g.materialIndex],_=Math.max(g.start,f.start),w=Math.min(a.count,Math.min(g.start+g.count,f.start+f.count));for(let v=_,A=w;v<A;v+=3){let S=a.getX(v),y=a.getX(v+1),M=a.getX(v+2);n=Cc(this,p,t,i,c,h,u,S,y,M),n&&(n.faceIndex=Math.floor(v/3),n.face.materialIndex=g.materialIndex,e.push(n))}}else{let m=Math.max(0,f.start),x=Math.min(a.count,f.start+f.count);for(let g=m,p=x;g<p;g+=3){let _=a.getX(g),w=a.getX(g+1),v=a.getX(g+2);n=Cc(this,o,t,i,c,h,u,_,w,v),n&&(n.faceIndex=Math.floor(g/3),e.push(n))}}else if(l!==void 0)if(Array.isArray(o))for(let m=0,x=d.length;m<x;m++){let g=d[m],p=o[g.materialIndex],_=Math.max(g.start,f.start),w=Math.min(l.count,Math.min(g.start+g.count,f.start+f.count));for(let v=_,A=w;v<A;v+=3){let S=v,y=v+1,M=v+2;n=Cc(this,p,t,i,c,h,u,S,y,M),n&&(n.faceIndex=Math.floor(v/3),n.face.materialIndex=g.materialIndex,e.push(n))}}else{let m=Math.max(0,f.start),x=Math.min(l.count,f.start+f.count);for(let g=m,p=x;g<p;g+=3){let _=g,w=g+1,v=g+2;n=Cc(this,o,t,i,c,h,u,_,w,v),n&&(n.faceIndex=Math.floor(g/3),e.push(n))}}}};function fb(s,t,e,i,n,r,o,a){let l;if(t.side===rn?l=i.intersectTriangle(o,r,n,!0,a):l=i.intersectTriangle(n,r,o,t.side===fs,a),l===null)return null;Ec.copy(a),Ec.applyMatrix4(s.matrixWorld);let c=e.ray.origin.distanceTo(Ec);return c<e.near||c>e.far?null:{distance:c,point:Ec.clone(),object:s}}function Cc(s,t,e,i,n,r,o,a,l,c){s.getVertexPosition(a,Mc),s.getVertexPosition(l,wc),s.getVertexPosition(c,Tc);let h=fb(s,t,e,i,Mc,wc,Tc,Og);if(h){let u=new V;ls.getBarycoord(Og,Mc,wc,Tc,u),n&&(h.uv=ls.getInterpolatedAttribute(n,a,l,c,u,new $t)),r&&(h.uv1=ls.getInterpolatedAttribute(r,a,l,c,u,new $t)),o&&(h.normal=ls.getInterpolatedAttribute(o,a,l,c,u,new V),h.normal.dot(i.direction)>0&&h.normal.multiplyScalar(-1));let d={a,b:l,c,normal:new V,materialIndex:0};ls.getNormal(Mc,wc,Tc,d.normal),h.face=d,h.barycoord=u}return h}var Ra=new Ue,kg=new Ue,Bg=new Ue,pb=new Ue,zg=new Jt,Rc=new V,Wd=new cs,Vg=new Jt,Xd=new Ls,Ha=class extends Ge{constructor(t,e){super(t,e),this.isSkinnedMesh=!0,this.type="SkinnedMesh",this.bindMode=$d,this.bindMatrix=new Jt,this.bindMatrixInverse=new Jt,this.boundingBox=null,this.boundingSphere=null}computeBoundingBox(){let t=this.geometry;this.boundingBox===null&&(this.boundingBox=new Yn),this.boundingBox.makeEmpty();let e=t.getAttribute("position");for(let i=0;i<e.count;i++)this.getVertexPosition(i,Rc),this.boundingBox.expandByPoint(Rc)}computeBoundingSphere(){let t=this.geometry;this.boundingSphere===null&&(this.boundingSphere=new cs),this.boundingSphere.makeEmpty();let e=t.getAttribute("position");for(let i=0;i<e.count;i++)this.getVertexPosition(i,Rc),this.boundingSphere.expandByPoint(Rc)}copy(t,e){return super.copy(t,e),this.bindMode=t.bindMode,this.bindMatrix.copy(t.bindMatrix),this.bindMatrixInverse.copy(t.bindMatrixInverse),this.skeleton=t.skeleton,this.boundingBox=t.boundingBox!==null?t.boundingBox.clone():null,this.boundingSphere=t.boundingSphere!==null?t.boundingSphere.clone():null,this}raycast(t,e){let i=this.material,n=this.matrixWorld;i!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),Wd.copy(this.boundingSphere),Wd.applyMatrix4(n),t.ray.intersectsSphere(Wd)!==!1&&(Vg.copy(n).invert(),Xd.copy(t.ray).applyMatrix4(Vg),!(this.boundingBox!==null&&Xd.intersectsBox(this.boundingBox)===!1)&&this._computeIntersections(t,e,Xd)))}getVertexPosition(t,e){return super.getVertexPosition(t,e),this.applyBoneTransform(t,e),e}bind(t,e){this.skeleton=t,e===void 0&&(this.updateMatrixWorld(!0),this.skeleton.calculateInverses(),e=this.matrixWorld),this.bindMatrix.copy(e),this.bindMatrixInverse.copy(e).invert()}pose(){this.skeleton.pose()}normalizeSkinWeights(){let t=new Ue,e=this.geometry.attributes.skinWeight;for(let i=0,n=e.count;i<n;i++){t.fromBufferAttribute(e,i);let r=1/t.manhattanLength();r!==1/0?t.multiplyScalar(r):t.set(1,0,0,0),e.setXYZW(i,t.x,t.y,t.z,t.w)}}updateMatrixWorld(t){super.updateMatrixWorld(t),this.bindMode===$d?this.bindMatrixInverse.copy(this.matrixWorld).invert():this.bindMode===N0?this.bindMatrixInverse.copy(this.bindMatrix).invert():jt("SkinnedMesh: Unrecognized bindMode: "+this.bindMode)}applyBoneTransform(t,e){let i=this.skeleton,n=this.geometry;kg.fromBufferAttribute(n.attributes.skinIndex,t),Bg.fromBufferAttribute(n.attributes.skinWeight,t),e.isVector4?(Ra.copy(e),e.set(0,0,0,0)):(Ra.set(e.x,e.y,e.z,1),e.set(0,0,0)),Ra.applyMatrix4(this.bindMatrix);for(let r=0;r<4;r++){let o=Bg.getComponent(r);if(o!==0){let a=kg.getComponent(r);zg.multiplyMatrices(i.bones[a].matrixWorld,i.boneInverses[a]),e.addScaledVector(pb.copy(Ra).applyMatrix4(zg),o)}}return e.isVector4&&(e.w=Ra.w),e.applyMatrix4(this.bindMatrixInverse)}},ko=class extends Qe{constructor(){super(),this.isBone=!0,this.type="Bone"}},Nr=class extends sn{constructor(t=null,e=1,i=1,n,r,o,a,l,c=Fi,h=Fi,u,d){super(null,o,a,l,c,h,n,r,u,d),this.isDataTexture=!0,this.image={data:t,width:e,height:i},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}},Gg=new Jt,mb=new Jt,Wa=class s{constructor(t=[],e=[]){this.uuid=cr(),this.bones=t.slice(0),this.boneInverses=e,this.boneMatrices=null,this.previousBoneMatrices=null,this.boneTexture=null,this.previousBoneTexture=null,this.init()}init(){let t=this.bones,e=this.boneInverses;if(this.boneMatrices=new Float32Array(t.length*16),e.length===0)this.calculateInverses();else if(t.length!==e.length){jt("Skeleton: Number of inverse bone matrices does not match amount of bones."),this.boneInverses=[];for(let i=0,n=this.bones.length;i<n;i++)this.boneInverses.push(new Jt)}}calculateInverses(){this.boneInverses.length=0;for(let t=0,e=this.bones.length;t<e;t++){let i=new Jt;this.bones[t]&&i.copy(this.bones[t].matrixWorld).invert(),this.boneInverses.push(i)}}pose(){for(let t=0,e=this.bones.length;t<e;t++){let i=this.bones[t];i&&i.matrixWorld.copy(this.boneInverses[t]).invert()}for(let t=0,e=this.bones.length;t<e;t++){let i=this.bones[t];i&&(i.parent&&i.parent.isBone?(i.matrix.copy(i.parent.matrixWorld).invert(),i.matrix.multiply(i.matrixWorld)):i.matrix.copy(i.matrixWorld),i.matrix.decompose(i.position,i.quaternion,i.scale))}}update(){let t=this.bones,e=this.boneInverses,i=this.boneMatrices,n=this.boneTexture;for(let r=0,o=t.length;r<o;r++){let a=t[r]?t[r].matrixWorld:mb;Gg.multiplyMatrices(a,e[r]),Gg.toArray(i,r*16)}n!==null&&(n.needsUpdate=!0)}clone(){return new s(this.bones,this.boneInverses)}computeBoneTexture(){let t=Math.sqrt(this.bones.length*4);t=Math.ceil(t/4)*4,t=Math.max(t,4);let e=new Float32Array(t*t*4);e.set(this.boneMatrices);let i=new Nr(e,t,t,Un,Dn);return i.needsUpdate=!0,this.boneMatrices=e,this.boneTexture=i,this}getBoneByName(t){for(let e=0,i=this.bones.length;e<i;e++){let n=this.bones[e];if(n.name===t)return n}}dispose(){this.boneTexture!==null&&(this.boneTexture.dispose(),this.boneTexture=null),this.previousBoneTexture!==null&&(this.previousBoneTexture.dispose(),this.previousBoneTexture=null)}fromJSON(t,e){this.uuid=t.uuid;for(let i=0,n=t.bones.length;i<n;i++){let r=t.bones[i],o=e[r];o===void 0&&(jt("Skeleton: No bone found with UUID:",r),o=new ko),this.bones.push(o),this.boneInverses.push(new Jt().fromArray(t.boneInverses[i]))}return this.init(),this}toJSON(){let t={metadata:{version:4.7,type:"Skeleton",generator:"Skeleton.toJSON"},bones:[],boneInverses:[]};t.uuid=this.uuid;let e=this.bones,i=this.boneInverses;for(let n=0,r=e.length;n<r;n++){let o=e[n];t.bones.push(o.uuid);let a=i[n];t.boneInverses.push(a.toArray())}return t}};var Cr=new cs,gb=new $t(.5,.5),Pc=new V,tr=class{constructor(t=new Sn,e=new Sn,i=new Sn,n=new Sn,r=new Sn,o=new Sn){this.planes=[t,e,i,n,r,o]}set(t,e,i,n,r,o){let a=this.planes;return a[0].copy(t),a[1].copy(e),a[2].copy(i),a[3].copy(n),a[4].copy(r),a[5].copy(o),this}copy(t){let e=this.planes;for(let i=0;i<6;i++)e[i].copy(t.planes[i]);return this}setFromProjectionMatrix(t,e=Pn,i=!1){let n=this.planes,r=t.elements,o=r[0],a=r[1],l=r[2],c=r[3],h=r[4],u=r[5],d=r[6],f=r[7],m=r[8],x=r[9],g=r[10],p=r[11],_=r[12],w=r[13],v=r[14],A=r[15];if(n[0].setComponents(c-o,f-h,p-m,A-_).normalize(),n[1].setComponents(c+o,f+h,p+m,A+_).normalize(),n[2].setComponents(c+a,f+u,p+x,A+w).normalize(),n[3].setComponents(c-a,f-u,p-x,A-w).normalize(),i)n[4].setComponents(l,d,g,v).normalize(),n[5].setComponents(c-l,f-d,p-g,A-v).normalize();else if(n[4].setComponents(c-l,f-d,p-g,A-v).normalize(),e===Pn)n[5].setComponents(c+l,f+d,p+g,A+v).normalize();else if(e===Lo)n[5].setComponents(l,d,g,v).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+e);return this}intersectsObject(t){if(t.boundingSphere!==void 0)t.boundingSphere===null&&t.computeBoundingSphere(),Cr.copy(t.boundingSphere).applyMatrix4(t.matrixWorld);else{let e=t.geometry;e.boundingSphere===null&&e.computeBoundingSphere(),Cr.copy(e.boundingSphere).applyMatrix4(t.matrixWorld)}return this.intersectsSphere(Cr)}intersectsSprite(t){Cr.center.set(0,0,0);let e=gb.distanceTo(t.center);return Cr.radius=.7071067811865476+e,Cr.applyMatrix4(t.matrixWorld),this.intersectsSphere(Cr)}intersectsSphere(t){let e=this.planes,i=t.center,n=-t.radius;for(let r=0;r<6;r++)if(e[r].distanceToPoint(i)<n)return!1;return!0}intersectsBox(t){let e=this.planes;for(let i=0;i<6;i++){let n=e[i];if(Pc.x=n.normal.x>0?t.max.x:t.min.x,Pc.y=n.normal.y>0?t.max.y:t.min.y,Pc.z=n.normal.z>0?t.max.z:t.min.z,n.distanceToPoint(Pc)<0)return!1}return!0}containsPoint(t){let e=this.planes;for(let i=0;i<6;i++)if(e[i].distanceToPoint(t)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}},Hg=new Jt,th=class s{constructor(){this.coordinateSystem=Pn,this._frustums=[],this._count=0}setFromArrayCamera(t){let e=t.cameras,i=this._frustums;for(let n=0;n<e.length;n++){let r=e[n];Hg.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),i[n]===void 0&&(i[n]=new tr),i[n].setFromProjectionMatrix(Hg,r.coordinateSystem,r.reversedDepth)}return this._count=e.length,this}getFrustum(t){return this._frustums[t]}intersectsObject(t){let e=this._frustums;for(let i=0;i<this._count;i++)if(e[i].intersectsObject(t))return!0;return!1}intersectsSprite(t){let e=this._frustums;for(let i=0;i<this._count;i++)if(e[i].intersectsSprite(t))return!0;return!1}intersectsSphere(t){let e=this._frustums;for(let i=0;i<this._count;i++)if(e[i].intersectsSphere(t))return!0;return!1}intersectsBox(t){let e=this._frustums;for(let i=0;i<this._count;i++)if(e[i].intersectsBox(t))return!0;return!1}containsPoint(t){let e=this._frustums;for(let i=0;i<this._count;i++)if(e[i].containsPoint(t))return!0;return!1}copy(t){this.coordinateSystem=t.coordinateSystem;let e=this._frustums,i=t._frustums;for(let n=0;n<t._count;n++)e[n]===void 0&&(e[n]=new tr),e[n].copy(i[n]);return this._count=t._count,this}clone(){return new s().copy(this)}};var zi=class extends on{constructor(t){super(),this.isLineBasicMaterial=!0,this.type="LineBasicMaterial",this.color=new qt(16777215),this.map=null,this.linewidth=1,this.linecap="round",this.linejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.linewidth=t.linewidth,this.linecap=t.linecap,this.linejoin=t.linejoin,this.fog=t.fog,this}},eh=new V,ih=new V,Wg=new Jt,Pa=new Ls,Ic=new cs,qd=new V,Xg=new V,Lr=class extends Qe{constructor(t=new ke,e=new zi){super(),this.isLine=!0,this.type="Line",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,i=[0];for(let n=1,r=e.count;n<r;n++)eh.fromBufferAttribute(e,n-1),ih.fromBufferAttribute(e,n),i[n]=i[n-1],i[n]+=eh.distanceTo(ih);t.setAttribute("lineDistance",new re(i,1))}else jt("Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let i=this.geometry,n=this.matrixWorld,r=t.params.Line.threshold,o=i.drawRange;if(i.boundingSphere===null&&i.computeBoundingSphere(),Ic.copy(i.boundingSphere),Ic.applyMatrix4(n),Ic.radius+=r,t.ray.intersectsSphere(Ic)===!1)return;Wg.copy(n).invert(),Pa.copy(t.ray).applyMatrix4(Wg);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=a*a,c=this.isLineSegments?2:1,h=i.index,d=i.attributes.position;if(h!==null){let f=Math.max(0,o.start),m=Math.min(h.count,o.start+o.count);for(let x=f,g=m-1;x<g;x+=c){let p=h.getX(x),_=h.getX(x+1),w=Nc(this,t,Pa,l,p,_,x);w&&e.push(w)}if(this.isLineLoop){let x=h.getX(m-1),g=h.getX(f),p=Nc(this,t,Pa,l,x,g,m-1);p&&e.push(p)}}else{let f=Math.max(0,o.start),m=Math.min(d.count,o.start+o.count);for(let x=f,g=m-1;x<g;x+=c){let p=Nc(this,t,Pa,l,x,x+1,x);p&&e.push(p)}if(this.isLineLoop){let x=Nc(this,t,Pa,l,m-1,f,m-1);x&&e.push(x)}}}updateMorphTargets(){let e=this.geometry.morphAttributes,i=Object.keys(e);if(i.length>0){let n=e[i[0]];if(n!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=n.length;r<o;r++){let a=n[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function Nc(s,t,e,i,n,r,o){let a=s.geometry.attributes.position;if(eh.fromBufferAttribute(a,n),ih.fromBufferAttribute(a,r),e.distanceSqToSegment(eh,ih,qd,Xg)>i)return;qd.applyMatrix4(s.matrixWorld);let c=t.ray.origin.distanceTo(qd);if(!(c<t.near||c>t.far))return{distance:c,point:Xg.clone().applyMatrix4(s.matrixWorld),index:o,face:null,faceIndex:null,barycoord:null,object:s}}var qg=new V,Yg=new V,wn=class extends Lr{constructor(t,e){super(t,e),this.isLineSegments=!0,this.type="LineSegments"}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,i=[];for(let n=0,r=e.count;n<r;n+=2)qg.fromBufferAttribute(e,n),Yg.fromBufferAttribute(e,n+1),i[n]=n===0?0:i[n-1],i[n+1]=i[n]+qg.distanceTo(Yg);t.setAttribute("lineDistance",new re(i,1))}else jt("LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}};var $n=class extends on{constructor(t){super(),this.isPointsMaterial=!0,this.type="PointsMaterial",this.color=new qt(16777215),this.map=null,this.alphaMap=null,this.size=1,this.sizeAttenuation=!0,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.alphaMap=t.alphaMap,this.size=t.size,this.sizeAttenuation=t.sizeAttenuation,this.fog=t.fog,this}},jg=new Jt,Qd=new Ls,Lc=new cs,Dc=new V,Ds=class extends Qe{constructor(t=new ke,e=new $n){super(),this.isPoints=!0,this.type="Points",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let i=this.geometry,n=this.matrixWorld,r=t.params.Points.threshold,o=i.drawRange;if(i.boundingSphere===null&&i.computeBoundingSphere(),Lc.copy(i.boundingSphere),Lc.applyMatrix4(n),Lc.radius+=r,t.ray.intersectsSphere(Lc)===!1)return;jg.copy(n).invert(),Qd.copy(t.ray).applyMatrix4(jg);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=a*a,c=i.index,u=i.attributes.position;if(c!==null){let d=Math.max(0,o.start),f=Math.min(c.count,o.start+o.count);for(let m=d,x=f;m<x;m++){let g=c.getX(m);Dc.fromBufferAttribute(u,g),$g(Dc,g,l,n,t,e,this)}}else{let d=Math.max(0,o.start),f=Math.min(u.count,o.start+o.count);for(let m=d,x=f;m<x;m++)Dc.fromBufferAttribute(u,m),$g(Dc,m,l,n,t,e,this)}}updateMorphTargets(){let e=this.geometry.morphAttributes,i=Object.keys(e);if(i.length>0){let n=e[i[0]];if(n!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=n.length;r<o;r++){let a=n[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function $g(s,t,e,i,n,r,o){let a=Qd.distanceSqToPoint(s);if(a<e){let l=new V;Qd.closestPointToPoint(s,l),l.applyMatrix4(i);let c=n.ray.origin.distanceTo(l);if(c<n.near||c>n.far)return;r.push({distance:c,distanceToRay:Math.sqrt(a),point:l,index:t,face:null,faceIndex:null,barycoord:null,object:o})}}var Xa=class extends sn{constructor(t=[],e=Gr,i,n,r,o,a,l,c,h){super(t,e,i,n,r,o,a,l,c,h),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(t){this.image=t}};var Us=class extends sn{constructor(t,e,i=Jn,n,r,o,a=Fi,l=Fi,c,h=Ns,u=1){if(h!==Ns&&h!==ks)throw new Error("THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat");let d={width:t,height:e,depth:u};super(d,n,r,o,a,l,h,i,c),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(t){return super.copy(t),this.source=new Fo(Object.assign({},t.image)),this.compareFunction=t.compareFunction,this}toJSON(t){let e=super.toJSON(t);return e.compareFunction=this.compareFunction,e}},qa=class extends Us{constructor(t,e=Jn,i=Gr,n,r,o=Fi,a=Fi,l,c=Ns){let h={width:t,height:t,depth:1},u=[h,h,h,h,h,h];super(t,t,e,i,n,r,o,a,l,c),this.image=u,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(t){this.image=t}},Ya=class extends sn{constructor(t=null){super(),this.sourceTexture=t,this.isExternalTexture=!0}copy(t){return super.copy(t),this.sourceTexture=t.sourceTexture,this}},er=class s extends ke{constructor(t=1,e=1,i=1,n=1,r=1,o=1){super(),this.type="BoxGeometry",this.parameters={width:t,height:e,depth:i,widthSegments:n,heightSegments:r,depthSegments:o};let a=this;n=Math.floor(n),r=Math.floor(r),o=Math.floor(o);let l=[],c=[],h=[],u=[],d=0,f=0;m("z","y","x",-1,-1,i,e,t,o,r,0),m("z","y","x",1,-1,i,e,-t,o,r,1),m("x","z","y",1,1,t,i,e,n,o,2),m("x","z","y",1,-1,t,i,-e,n,o,3),m("x","y","z",1,-1,t,e,i,n,r,4),m("x","y","z",-1,-1,t,e,-i,n,r,5),this.setIndex(l),this.setAttribute("position",new re(c,3)),this.setAttribute("normal",new re(h,3)),this.setAttribute("uv",new re(u,2));function m(x,g,p,_,w,v,A,S,y,M,I){let P=v/y,R=A/M,U=v/2,O=A/2,L=S/2,H=y+1,k=M+1,G=0,it=0,Y=new V;for(let J=0;J<k;J++){let Q=J*R-O;for(let ct=0;ct<H;ct++){let nt=ct*P-U;Y[x]=nt*_,Y[g]=Q*w,Y[p]=L,c.push(Y.x,Y.y,Y.z),Y[x]=0,Y[g]=0,Y[p]=S>0?1:-1,h.push(Y.x,Y.y,Y.z),u.push(ct/y),u.push(1-J/M),G+=1}}for(let J=0;J<M;J++)for(let Q=0;Q<y;Q++){let ct=d+Q+H*J,nt=d+Q+H*(J+1),q=d+(Q+1)+H*(J+1),st=d+(Q+1)+H*J;l.push(ct,nt,st),l.push(nt,q,st),it+=6}a.addGroup(f,it,I),f+=it,d+=G}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new s(t.width,t.height,t.depth,t.widthSegments,t.heightSegments,t.depthSegments)}},ja=class s extends ke{constructor(t=1,e=1,i=4,n=8,r=1){super(),this.type="CapsuleGeometry",this.parameters={radius:t,height:e,capSegments:i,radialSegments:n,heightSegments:r},e=Math.max(0,e),i=Math.max(1,Math.floor(i)),n=Math.max(3,Math.floor(n)),r=Math.max(1,Math.floor(r));let o=[],a=[],l=[],c=[],h=e/2,u=Math.PI/2*t,d=e,f=2*u+d,m=i*2+r,x=n+1,g=new V,p=new V;for(let _=0;_<=m;_++){let w=0,v=0,A=0,S=0;if(_<=i){let I=_/i,P=I*Math.PI/2;v=-h-t*Math.cos(P),A=t*Math.sin(P),S=-t*Math.cos(P),w=I*u}else if(_<=i+r){let I=(_-i)/r;v=-h+I*e,A=t,S=0,w=u+I*d}else{let I=(_-i-r)/i,P=I*Math.PI/2;v=h+t*Math.sin(P),A=t*Math.cos(P),S=t*Math.sin(P),w=u+d+I*u}let y=Math.max(0,Math.min(1,w/f)),M=0;_===0?M=.5/n:_===m&&(M=-.5/n);for(let I=0;I<=n;I++){let P=I/n,R=P*Math.PI*2,U=Math.sin(R),O=Math.cos(R);p.x=-A*O,p.y=v,p.z=A*U,a.push(p.x,p.y,p.z),g.set(-A*O,S,A*U),g.normalize(),l.push(g.x,g.y,g.z),c.push(P+M,y)}if(_>0){let I=(_-1)*x;for(let P=0;P<n;P++){let R=I+P,U=I+P+1,O=_*x+P,L=_*x+P+1;o.push(R,U,O),o.push(U,L,O)}}}this.setIndex(o),this.setAttribute("position",new re(a,3)),this.setAttribute("normal",new re(l,3)),this.setAttribute("uv",new re(c,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new s(t.radius,t.height,t.capSegments,t.radialSegments,t.heightSegments)}};var Bo=class s extends ke{constructor(t=1,e=1,i=1,n=32,r=1,o=!1,a=0,l=Math.PI*2){super(),this.type="CylinderGeometry",this.parameters={radiusTop:t,radiusBottom:e,height:i,radialSegments:n,heightSegments:r,openEnded:o,thetaStart:a,thetaLength:l};let c=this;n=Math.floor(n),r=Math.floor(r);let h=[],u=[],d=[],f=[],m=0,x=[],g=i/2,p=0;_(),o===!1&&(t>0&&w(!0),e>0&&w(!1)),this.setIndex(h),this.setAttribute("position",new re(u,3)),this.setAttribute("normal",new re(d,3)),this.setAttribute("uv",new re(f,2));function _(){let v=new V,A=new V,S=0,y=(e-t)/i;for(let M=0;M<=r;M++){let I=[],P=M/r,R=P*(e-t)+t;for(let U=0;U<=n;U++){let O=U/n,L=O*l+a,H=Math.sin(L),k=Math.cos(L);A.x=R*H,A.y=-P*i+g,A.z=R*k,u.push(A.x,A.y,A.z),v.set(H,y,k).normalize(),d.push(v.x,v.y,v.z),f.push(O,1-P),I.push(m++)}x.push(I)}for(let M=0;M<n;M++)for(let I=0;I<r;I++){let P=x[I][M],R=x[I+1][M],U=x[I+1][M+1],O=x[I][M+1];(t>0||I!==0)&&(h.push(P,R,O),S+=3),(e>0||I!==r-1)&&(h.push(R,U,O),S+=3)}c.addGroup(p,S,0),p+=S}function w(v){let A=m,S=new $t,y=new V,M=0,I=v===!0?t:e,P=v===!0?1:-1;for(let U=1;U<=n;U++)u.push(0,g*P,0),d.push(0,P,0),f.push(.5,.5),m++;let R=m;for(let U=0;U<=n;U++){let L=U/n*l+a,H=Math.cos(L),k=Math.sin(L);y.x=I*k,y.y=g*P,y.z=I*H,u.push(y.x,y.y,y.z),d.push(0,P,0),S.x=H*.5+.5,S.y=k*.5*P+.5,f.push(S.x,S.y),m++}for(let U=0;U<n;U++){let O=A+U,L=R+U;v===!0?h.push(L,L+1,O):h.push(L+1,L,O),M+=3}c.addGroup(p,M,v===!0?1:2),p+=M}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new s(t.radiusTop,t.radiusBottom,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}},nh=class s extends Bo{constructor(t=1,e=1,i=32,n=1,r=!1,o=0,a=Math.PI*2){super(0,t,e,i,n,r,o,a),this.type="ConeGeometry",this.parameters={radius:t,height:e,radialSegments:i,heightSegments:n,openEnded:r,thetaStart:o,thetaLength:a}}static fromJSON(t){return new s(t.radius,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}};function _b(s,t,e=2){let i=t&&t.length,n=i?t[0]*e:s.length,r=Z0(s,0,n,e,!0),o=[];if(!r||r.next===r.prev)return o;let a,l,c;if(i&&(r=Sb(s,t,r,e)),s.length>80*e){a=s[0],l=s[1];let h=a,u=l;for(let d=e;d<n;d+=e){let f=s[d],m=s[d+1];f<a&&(a=f),m<l&&(l=m),f>h&&(h=f),m>u&&(u=m)}c=Math.max(h-a,u-l),c=c!==0?32767/c:0}return $a(r,o,e,a,l,c,0),o}function Z0(s,t,e,i,n){let r;if(n===Lb(s,t,e,i)>0)for(let o=t;o<e;o+=i)r=Jg(o/i|0,s[o],s[o+1],r);else for(let o=e-i;o>=t;o-=i)r=Jg(o/i|0,s[o],s[o+1],r);return r&&zo(r,r.next)&&(Za(r),r=r.next),r}function Dr(s,t){if(!s)return s;t||(t=s);let e=s,i;do if(i=!1,!e.steiner&&(zo(e,e.next)||ii(e.prev,e,e.next)===0)){if(Za(e),e=t=e.prev,e===e.next)break;i=!0}else e=e.next;while(i||e!==t);return t}function $a(s,t,e,i,n,r,o){if(!s)return;!o&&r&&Eb(s,i,n,r);let a=s;for(;s.prev!==s.next;){let l=s.prev,c=s.next;if(r?yb(s,i,n,r):xb(s)){t.push(l.i,s.i,c.i),Za(s),s=c.next,a=c.next;continue}if(s=c,s===a){o?o===1?(s=vb(Dr(s),t),$a(s,t,e,i,n,r,2)):o===2&&bb(s,t,e,i,n,r):$a(Dr(s),t,e,i,n,r,1);break}}}function xb(s){let t=s.prev,e=s,i=s.next;if(ii(t,e,i)>=0)return!1;let n=t.x,r=e.x,o=i.x,a=t.y,l=e.y,c=i.y,h=Math.min(n,r,o),u=Math.min(a,l,c),d=Math.max(n,r,o),f=Math.max(a,l,c),m=i.next;for(;m!==t;){if(m.x>=h&&m.x<=d&&m.y>=u&&m.y<=f&&Ia(n,a,r,l,o,c,m.x,m.y)&&ii(m.prev,m,m.next)>=0)return!1;m=m.next}return!0}function yb(s,t,e,i){let n=s.prev,r=s,o=s.next;if(ii(n,r,o)>=0)return!1;let a=n.x,l=r.x,c=o.x,h=n.y,u=r.y,d=o.y,f=Math.min(a,l,c),m=Math.min(h,u,d),x=Math.max(a,l,c),g=Math.max(h,u,d),p=tf(f,m,t,e,i),_=tf(x,g,t,e,i),w=s.prevZ,v=s.nextZ;for(;w&&w.z>=p&&v&&v.z<=_;){if(w.x>=f&&w.x<=x&&w.y>=m&&w.y<=g&&w!==n&&w!==o&&Ia(a,h,l,u,c,d,w.x,w.y)&&ii(w.prev,w,w.next)>=0||(w=w.prevZ,v.x>=f&&v.x<=x&&v.y>=m&&v.y<=g&&v!==n&&v!==o&&Ia(a,h,l,u,c,d,v.x,v.y)&&ii(v.prev,v,v.next)>=0))return!1;v=v.nextZ}for(;w&&w.z>=p;){if(w.x>=f&&w.x<=x&&w.y>=m&&w.y<=g&&w!==n&&w!==o&&Ia(a,h,l,u,c,d,w.x,w.y)&&ii(w.prev,w,w.next)>=0)return!1;w=w.prevZ}for(;v&&v.z<=_;){if(v.x>=f&&v.x<=x&&v.y>=m&&v.y<=g&&v!==n&&v!==o&&Ia(a,h,l,u,c,d,v.x,v.y)&&ii(v.prev,v,v.next)>=0)return!1;v=v.nextZ}return!0}function vb(s,t){let e=s;do{let i=e.prev,n=e.next.next;!zo(i,n)&&Q0(i,e,e.next,n)&&Ja(i,n)&&Ja(n,i)&&(t.push(i.i,e.i,n.i),Za(e),Za(e.next),e=s=n),e=e.next}while(e!==s);return Dr(e)}function bb(s,t,e,i,n,r){let o=s;do{let a=o.next.next;for(;a!==o.prev;){if(o.i!==a.i&&Pb(o,a)){let l=t_(o,a);o=Dr(o,o.next),l=Dr(l,l.next),$a(o,t,e,i,n,r,0),$a(l,t,e,i,n,r,0);return}a=a.next}o=o.next}while(o!==s)}function Sb(s,t,e,i){let n=[];for(let r=0,o=t.length;r<o;r++){let a=t[r]*i,l=r<o-1?t[r+1]*i:s.length,c=Z0(s,a,l,i,!1);c===c.next&&(c.steiner=!0),n.push(Rb(c))}n.sort(Mb);for(let r=0;r<n.length;r++)e=wb(n[r],e);return e}function Mb(s,t){let e=s.x-t.x;if(e===0&&(e=s.y-t.y,e===0)){let i=(s.next.y-s.y)/(s.next.x-s.x),n=(t.next.y-t.y)/(t.next.x-t.x);e=i-n}return e}function wb(s,t){let e=Tb(s,t);if(!e)return t;let i=t_(e,s);return Dr(i,i.next),Dr(e,e.next)}function Tb(s,t){let e=t,i=s.x,n=s.y,r=-1/0,o;if(zo(s,e))return e;do{if(zo(s,e.next))return e.next;if(n<=e.y&&n>=e.next.y&&e.next.y!==e.y){let u=e.x+(n-e.y)*(e.next.x-e.x)/(e.next.y-e.y);if(u<=i&&u>r&&(r=u,o=e.x<e.next.x?e:e.next,u===i))return o}e=e.next}while(e!==t);if(!o)return null;let a=o,l=o.x,c=o.y,h=1/0;e=o;do{if(i>=e.x&&e.x>=l&&i!==e.x&&K0(n<c?i:r,n,l,c,n<c?r:i,n,e.x,e.y)){let u=Math.abs(n-e.y)/(i-e.x);Ja(e,s)&&(u<h||u===h&&(e.x>o.x||e.x===o.x&&Ab(o,e)))&&(o=e,h=u)}e=e.next}while(e!==a);return o}function Ab(s,t){return ii(s.prev,s,t.prev)<0&&ii(t.next,s,s.next)<0}function Eb(s,t,e,i){let n=s;do n.z===0&&(n.z=tf(n.x,n.y,t,e,i)),n.prevZ=n.prev,n.nextZ=n.next,n=n.next;while(n!==s);n.prevZ.nextZ=null,n.prevZ=null,Cb(n)}function Cb(s){let t,e=1;do{let i=s,n;s=null;let r=null;for(t=0;i;){t++;let o=i,a=0;for(let c=0;c<e&&(a++,o=o.nextZ,!!o);c++);let l=e;for(;a>0||l>0&&o;)a!==0&&(l===0||!o||i.z<=o.z)?(n=i,i=i.nextZ,a--):(n=o,o=o.nextZ,l--),r?r.nextZ=n:s=n,n.prevZ=r,r=n;i=o}r.nextZ=null,e*=2}while(t>1);return s}function tf(s,t,e,i,n){return s=(s-e)*n|0,t=(t-i)*n|0,s=(s|s<<8)&16711935,s=(s|s<<4)&252645135,s=(s|s<<2)&858993459,s=(s|s<<1)&1431655765,t=(t|t<<8)&16711935,t=(t|t<<4)&252645135,t=(t|t<<2)&858993459,t=(t|t<<1)&1431655765,s|t<<1}function Rb(s){let t=s,e=s;do(t.x<e.x||t.x===e.x&&t.y<e.y)&&(e=t),t=t.next;while(t!==s);return e}function K0(s,t,e,i,n,r,o,a){return(n-o)*(t-a)>=(s-o)*(r-a)&&(s-o)*(i-a)>=(e-o)*(t-a)&&(e-o)*(r-a)>=(n-o)*(i-a)}function Ia(s,t,e,i,n,r,o,a){return!(s===o&&t===a)&&K0(s,t,e,i,n,r,o,a)}function Pb(s,t){return s.next.i!==t.i&&s.prev.i!==t.i&&!Ib(s,t)&&(Ja(s,t)&&Ja(t,s)&&Nb(s,t)&&(ii(s.prev,s,t.prev)||ii(s,t.prev,t))||zo(s,t)&&ii(s.prev,s,s.next)>0&&ii(t.prev,t,t.next)>0)}function ii(s,t,e){return(t.y-s.y)*(e.x-t.x)-(t.x-s.x)*(e.y-t.y)}function zo(s,t){return s.x===t.x&&s.y===t.y}function Q0(s,t,e,i){let n=Fc(ii(s,t,e)),r=Fc(ii(s,t,i)),o=Fc(ii(e,i,s)),a=Fc(ii(e,i,t));return!!(n!==r&&o!==a||n===0&&Uc(s,e,t)||r===0&&Uc(s,i,t)||o===0&&Uc(e,s,i)||a===0&&Uc(e,t,i))}function Uc(s,t,e){return t.x<=Math.max(s.x,e.x)&&t.x>=Math.min(s.x,e.x)&&t.y<=Math.max(s.y,e.y)&&t.y>=Math.min(s.y,e.y)}function Fc(s){return s>0?1:s<0?-1:0}function Ib(s,t){let e=s;do{if(e.i!==s.i&&e.next.i!==s.i&&e.i!==t.i&&e.next.i!==t.i&&Q0(e,e.next,s,t))return!0;e=e.next}while(e!==s);return!1}function Ja(s,t){return ii(s.prev,s,s.next)<0?ii(s,t,s.next)>=0&&ii(s,s.prev,t)>=0:ii(s,t,s.prev)<0||ii(s,s.next,t)<0}function Nb(s,t){let e=s,i=!1,n=(s.x+t.x)/2,r=(s.y+t.y)/2;do e.y>r!=e.next.y>r&&e.next.y!==e.y&&n<(e.next.x-e.x)*(r-e.y)/(e.next.y-e.y)+e.x&&(i=!i),e=e.next;while(e!==s);return i}function t_(s,t){let e=ef(s.i,s.x,s.y),i=ef(t.i,t.x,t.y),n=s.next,r=t.prev;return s.next=t,t.prev=s,e.next=n,n.prev=e,i.next=e,e.prev=i,r.next=i,i.prev=r,i}function Jg(s,t,e,i){let n=ef(s,t,e);return i?(n.next=i.next,n.prev=i,i.next.prev=n,i.next=n):(n.prev=n,n.next=n),n}function Za(s){s.next.prev=s.prev,s.prev.next=s.next,s.prevZ&&(s.prevZ.nextZ=s.nextZ),s.nextZ&&(s.nextZ.prevZ=s.prevZ)}function ef(s,t,e){return{i:s,x:t,y:e,prev:null,next:null,z:0,prevZ:null,nextZ:null,steiner:!1}}function Lb(s,t,e,i){let n=0;for(let r=t,o=e-i;r<e;r+=i)n+=(s[o]-s[r])*(s[r+1]+s[o+1]),o=r;return n}var nf=class{static triangulate(t,e,i=2){return _b(t,e,i)}},Vo=class s{static area(t){let e=t.length,i=0;for(let n=e-1,r=0;r<e;n=r++)i+=t[n].x*t[r].y-t[r].x*t[n].y;return i*.5}static isClockWise(t){return s.area(t)<0}static triangulateShape(t,e){let i=[],n=[],r=[];Zg(t),Kg(i,t);let o=t.length;e.forEach(Zg);for(let l=0;l<e.length;l++)n.push(o),o+=e[l].length,Kg(i,e[l]);let a=nf.triangulate(i,n);for(let l=0;l<a.length;l+=3)r.push(a.slice(l,l+3));return r}};function Zg(s){let t=s.length;t>2&&s[t-1].equals(s[0])&&s.pop()}function Kg(s,t){for(let e=0;e<t.length;e++)s.push(t[e].x),s.push(t[e].y)}var Ka=class s extends ke{constructor(t=1,e=1,i=1,n=1){super(),this.type="PlaneGeometry",this.parameters={width:t,height:e,widthSegments:i,heightSegments:n};let r=t/2,o=e/2,a=Math.floor(i),l=Math.floor(n),c=a+1,h=l+1,u=t/a,d=e/l,f=[],m=[],x=[],g=[];for(let p=0;p<h;p++){let _=p*d-o;for(let w=0;w<c;w++){let v=w*u-r;m.push(v,-_,0),x.push(0,0,1),g.push(w/a),g.push(1-p/l)}}for(let p=0;p<l;p++)for(let _=0;_<a;_++){let w=_+c*p,v=_+c*(p+1),A=_+1+c*(p+1),S=_+1+c*p;f.push(w,v,S),f.push(v,A,S)}this.setIndex(f),this.setAttribute("position",new re(m,3)),this.setAttribute("normal",new re(x,3)),this.setAttribute("uv",new re(g,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new s(t.width,t.height,t.widthSegments,t.heightSegments)}};var ir=class s extends ke{constructor(t=1,e=32,i=16,n=0,r=Math.PI*2,o=0,a=Math.PI){super(),this.type="SphereGeometry",this.parameters={radius:t,widthSegments:e,heightSegments:i,phiStart:n,phiLength:r,thetaStart:o,thetaLength:a},e=Math.max(3,Math.floor(e)),i=Math.max(2,Math.floor(i));let l=Math.min(o+a,Math.PI),c=0,h=[],u=new V,d=new V,f=[],m=[],x=[],g=[];for(let p=0;p<=i;p++){let _=[],w=p/i,v=o+w*a,A=t*Math.cos(v),S=Math.sqrt(t*t-A*A),y=0;p===0&&o===0?y=.5/e:p===i&&l===Math.PI&&(y=-.5/e);for(let M=0;M<=e;M++){let I=M/e,P=n+I*r;u.x=-S*Math.cos(P),u.y=A,u.z=S*Math.sin(P),m.push(u.x,u.y,u.z),d.copy(u).normalize(),x.push(d.x,d.y,d.z),g.push(I+y,1-w),_.push(c++)}h.push(_)}for(let p=0;p<i;p++)for(let _=0;_<e;_++){let w=h[p][_+1],v=h[p][_],A=h[p+1][_],S=h[p+1][_+1];(p!==0||o>0)&&f.push(w,v,S),(p!==i-1||l<Math.PI)&&f.push(v,A,S)}this.setIndex(f),this.setAttribute("position",new re(m,3)),this.setAttribute("normal",new re(x,3)),this.setAttribute("uv",new re(g,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new s(t.radius,t.widthSegments,t.heightSegments,t.phiStart,t.phiLength,t.thetaStart,t.thetaLength)}};function Wr(s){let t={};for(let e in s){t[e]={};for(let i in s[e]){let n=s[e][i];if(Qg(n))n.isRenderTargetTexture?(jt("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),t[e][i]=null):t[e][i]=n.clone();else if(Array.isArray(n))if(Qg(n[0])){let r=[];for(let o=0,a=n.length;o<a;o++)r[o]=n[o].clone();t[e][i]=r}else t[e][i]=n.slice();else t[e][i]=n}}return t}function ji(s){let t={};for(let e=0;e<s.length;e++){let i=Wr(s[e]);for(let n in i)t[n]=i[n]}return t}function Qg(s){return s&&(s.isColor||s.isMatrix3||s.isMatrix4||s.isVector2||s.isVector3||s.isVector4||s.isTexture||s.isQuaternion)}function Db(s){let t=[];for(let e=0;e<s.length;e++)t.push(s[e].clone());return t}function Bf(s){let t=s.getRenderTarget();return t===null?s.outputColorSpace:t.isXRRenderTarget===!0?t.texture.colorSpace:ue.workingColorSpace}var e_={clone:Wr,merge:ji},Ub=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,Fb=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,hs=class extends on{constructor(t){super(),this.isShaderMaterial=!0,this.type="ShaderMaterial",this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=Ub,this.fragmentShader=Fb,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,t!==void 0&&this.setValues(t)}copy(t){return super.copy(t),this.fragmentShader=t.fragmentShader,this.vertexShader=t.vertexShader,this.uniforms=Wr(t.uniforms),this.uniformsGroups=Db(t.uniformsGroups),this.defines=Object.assign({},t.defines),this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.fog=t.fog,this.lights=t.lights,this.clipping=t.clipping,this.extensions=Object.assign({},t.extensions),this.glslVersion=t.glslVersion,this.defaultAttributeValues=Object.assign({},t.defaultAttributeValues),this.index0AttributeName=t.index0AttributeName,this.uniformsNeedUpdate=t.uniformsNeedUpdate,this}toJSON(t){let e=super.toJSON(t);e.glslVersion=this.glslVersion,e.uniforms={};for(let n in this.uniforms){let o=this.uniforms[n].value;o&&o.isTexture?e.uniforms[n]={type:"t",value:o.toJSON(t).uuid}:o&&o.isColor?e.uniforms[n]={type:"c",value:o.getHex()}:o&&o.isVector2?e.uniforms[n]={type:"v2",value:o.toArray()}:o&&o.isVector3?e.uniforms[n]={type:"v3",value:o.toArray()}:o&&o.isVector4?e.uniforms[n]={type:"v4",value:o.toArray()}:o&&o.isMatrix3?e.uniforms[n]={type:"m3",value:o.toArray()}:o&&o.isMatrix4?e.uniforms[n]={type:"m4",value:o.toArray()}:e.uniforms[n]={value:o}}Object.keys(this.defines).length>0&&(e.defines=this.defines),e.vertexShader=this.vertexShader,e.fragmentShader=this.fragmentShader,e.lights=this.lights,e.clipping=this.clipping;let i={};for(let n in this.extensions)this.extensions[n]===!0&&(i[n]=!0);return Object.keys(i).length>0&&(e.extensions=i),e}fromJSON(t,e){if(super.fromJSON(t,e),t.uniforms!==void 0)for(let i in t.uniforms){let n=t.uniforms[i];switch(this.uniforms[i]={},n.type){case"t":this.uniforms[i].value=e[n.value]||null;break;case"c":this.uniforms[i].value=new qt().setHex(n.value);break;case"v2":this.uniforms[i].value=new $t().fromArray(n.value);break;case"v3":this.uniforms[i].value=new V().fromArray(n.value);break;case"v4":this.uniforms[i].value=new Ue().fromArray(n.value);break;case"m3":this.uniforms[i].value=new oe().fromArray(n.value);break;case"m4":this.uniforms[i].value=new Jt().fromArray(n.value);break;default:this.uniforms[i].value=n.value}}if(t.defines!==void 0&&(this.defines=t.defines),t.vertexShader!==void 0&&(this.vertexShader=t.vertexShader),t.fragmentShader!==void 0&&(this.fragmentShader=t.fragmentShader),t.glslVersion!==void 0&&(this.glslVersion=t.glslVersion),t.extensions!==void 0)for(let i in t.extensions)this.extensions[i]=t.extensions[i];return t.lights!==void 0&&(this.lights=t.lights),t.clipping!==void 0&&(this.clipping=t.clipping),this}},sh=class extends hs{constructor(t){super(t),this.isRawShaderMaterial=!0,this.type="RawShaderMaterial"}};var In=class extends on{constructor(t){super(),this.isMeshPhongMaterial=!0,this.type="MeshPhongMaterial",this.color=new qt(16777215),this.specular=new qt(1118481),this.shininess=30,this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new qt(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=_l,this.normalScale=new $t(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Xi,this.combine=cl,this.reflectivity=1,this.envMapIntensity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.specular.copy(t.specular),this.shininess=t.shininess,this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.emissive.copy(t.emissive),this.emissiveMap=t.emissiveMap,this.emissiveIntensity=t.emissiveIntensity,this.bumpMap=t.bumpMap,this.bumpScale=t.bumpScale,this.normalMap=t.normalMap,this.normalMapType=t.normalMapType,this.normalScale.copy(t.normalScale),this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.envMapIntensity=t.envMapIntensity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.flatShading=t.flatShading,this.fog=t.fog,this}};var Ur=class extends on{constructor(t){super(),this.isMeshLambertMaterial=!0,this.type="MeshLambertMaterial",this.color=new qt(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new qt(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=_l,this.normalScale=new $t(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Xi,this.combine=cl,this.reflectivity=1,this.envMapIntensity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.emissive.copy(t.emissive),this.emissiveMap=t.emissiveMap,this.emissiveIntensity=t.emissiveIntensity,this.bumpMap=t.bumpMap,this.bumpScale=t.bumpScale,this.normalMap=t.normalMap,this.normalMapType=t.normalMapType,this.normalScale.copy(t.normalScale),this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.envMapIntensity=t.envMapIntensity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.flatShading=t.flatShading,this.fog=t.fog,this}},rh=class extends on{constructor(t){super(),this.isMeshDepthMaterial=!0,this.type="MeshDepthMaterial",this.depthPacking=U0,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(t)}copy(t){return super.copy(t),this.depthPacking=t.depthPacking,this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this}},oh=class extends on{constructor(t){super(),this.isMeshDistanceMaterial=!0,this.type="MeshDistanceMaterial",this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(t)}copy(t){return super.copy(t),this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this}};function Qs(s,t){return!s||s.constructor===t?s:typeof t.BYTES_PER_ELEMENT=="number"?new t(s):Array.prototype.slice.call(s)}function Na(s){return s!==void 0&&s.inTangents!==void 0&&s.outTangents!==void 0}function Ob(s){function t(n,r){return s[n]-s[r]}let e=s.length,i=new Array(e);for(let n=0;n!==e;++n)i[n]=n;return i.sort(t),i}function t0(s,t,e){let i=s.length,n=new s.constructor(i);for(let r=0,o=0;o!==i;++r){let a=e[r]*t;for(let l=0;l!==t;++l)n[o++]=s[a+l]}return n}function kb(s,t,e,i){let n=1,r=s[0];for(;r!==void 0&&r[i]===void 0;)r=s[n++];if(r===void 0)return;let o=r[i];if(o!==void 0)if(Array.isArray(o))do o=r[i],o!==void 0&&(t.push(r.time),e.push(...o)),r=s[n++];while(r!==void 0);else if(o.toArray!==void 0)do o=r[i],o!==void 0&&(t.push(r.time),o.toArray(e,e.length)),r=s[n++];while(r!==void 0);else do o=r[i],o!==void 0&&(t.push(r.time),e.push(o)),r=s[n++];while(r!==void 0)}var nr=class{constructor(t,e,i,n){this.parameterPositions=t,this._cachedIndex=0,this.resultBuffer=n!==void 0?n:new e.constructor(i),this.sampleValues=e,this.valueSize=i,this.settings=null,this.DefaultSettings_={}}evaluate(t){let e=this.parameterPositions,i=this._cachedIndex,n=e[i],r=e[i-1];i:{t:{let o;e:{n:if(!(t<n)){for(let a=i+2;;){if(n===void 0){if(t<r)break n;return i=e.length,this._cachedIndex=i,this.copySampleValue_(i-1)}if(i===a)break;if(r=n,n=e[++i],t<n)break t}o=e.length;break e}if(!(t>=r)){let a=e[1];t<a&&(i=2,r=a);for(let l=i-2;;){if(r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(i===l)break;if(n=r,r=e[--i-1],t>=r)break t}o=i,i=0;break e}break i}for(;i<o;){let a=i+o>>>1;t<e[a]?o=a:i=a+1}if(n=e[i],r=e[i-1],r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(n===void 0)return i=e.length,this._cachedIndex=i,this.copySampleValue_(i-1)}this._cachedIndex=i,this.intervalChanged_(i,r,n)}return this.interpolate_(i,r,t,n)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(t){let e=this.resultBuffer,i=this.sampleValues,n=this.valueSize,r=t*n;for(let o=0;o!==n;++o)e[o]=i[r+o];return e}interpolate_(){throw new Error("THREE.Interpolant: Call to abstract method.")}intervalChanged_(){}},ah=class extends nr{constructor(t,e,i,n){super(t,e,i,n),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:Jd,endingEnd:Jd}}intervalChanged_(t,e,i){let n=this.parameterPositions,r=t-2,o=t+1,a=n[r],l=n[o];if(a===void 0)switch(this.getSettings_().endingStart){case Zd:r=t,a=2*e-i;break;case Kd:r=n.length-2,a=e+n[r]-n[r+1];break;default:r=t,a=i}if(l===void 0)switch(this.getSettings_().endingEnd){case Zd:o=t,l=2*i-e;break;case Kd:o=1,l=i+n[1]-n[0];break;default:o=t-1,l=e}let c=(i-e)*.5,h=this.valueSize;this._weightPrev=c/(e-a),this._weightNext=c/(l-i),this._offsetPrev=r*h,this._offsetNext=o*h}interpolate_(t,e,i,n){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=this._offsetPrev,u=this._offsetNext,d=this._weightPrev,f=this._weightNext,m=(i-e)/(n-e),x=m*m,g=x*m,p=-d*g+2*d*x-d*m,_=(1+d)*g+(-1.5-2*d)*x+(-.5+d)*m+1,w=(-1-f)*g+(1.5+f)*x+.5*m,v=f*g-f*x;for(let A=0;A!==a;++A)r[A]=p*o[h+A]+_*o[c+A]+w*o[l+A]+v*o[u+A];return r}},lh=class extends nr{constructor(t,e,i,n){super(t,e,i,n)}interpolate_(t,e,i,n){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=(i-e)/(n-e),u=1-h;for(let d=0;d!==a;++d)r[d]=o[c+d]*u+o[l+d]*h;return r}},ch=class extends nr{constructor(t,e,i,n){super(t,e,i,n)}interpolate_(t){return this.copySampleValue_(t-1)}},hh=class extends nr{interpolate_(t,e,i,n){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=this.inTangents,u=this.outTangents;if(!h||!u){let m=(i-e)/(n-e),x=1-m;for(let g=0;g!==a;++g)r[g]=o[c+g]*x+o[l+g]*m;return r}let d=a*2,f=t-1;for(let m=0;m!==a;++m){let x=o[c+m],g=o[l+m],p=f*d+m*2,_=u[p],w=u[p+1],v=t*d+m*2,A=h[v],S=h[v+1],y=zb(i,e,_,A,n);r[m]=i_(y,x,w,S,g)}return r}};function i_(s,t,e,i,n){let r=1-s;return r*r*r*t+3*r*r*s*e+3*r*s*s*i+s*s*s*n}function Bb(s,t,e,i,n){let r=1-s;return 3*r*r*(e-t)+6*r*s*(i-e)+3*s*s*(n-i)}function zb(s,t,e,i,n){let r=(s-t)/(n-t);for(let o=0;o<8;o++){let a=i_(r,t,e,i,n)-s;if(Math.abs(a)<1e-10)break;let l=Bb(r,t,e,i,n);if(Math.abs(l)<1e-10)break;r=Math.max(0,Math.min(1,r-a/l))}return r}var an=class{constructor(t,e,i,n){if(t===void 0)throw new Error("THREE.KeyframeTrack: track name is undefined");if(e===void 0||e.length===0)throw new Error("THREE.KeyframeTrack: no keyframes in track named "+t);this.name=t,this.times=Qs(e,this.TimeBufferType),this.values=Qs(i,this.ValueBufferType),this.setInterpolation(n||this.DefaultInterpolation)}static toJSON(t){let e=t.constructor,i;if(e.toJSON!==this.toJSON)i=e.toJSON(t);else{i={name:t.name,times:Qs(t.times,Array),values:Qs(t.values,Array)};let n=t.getInterpolation();n!==t.DefaultInterpolation&&(i.interpolation=n),Na(t.settings)&&(i.settings={inTangents:Qs(t.settings.inTangents,Array),outTangents:Qs(t.settings.outTangents,Array)})}return i.type=t.ValueTypeName,i}InterpolantFactoryMethodDiscrete(t){return new ch(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodLinear(t){return new lh(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodSmooth(t){return new ah(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodBezier(t){let e=new hh(this.times,this.values,this.getValueSize(),t);return this.settings&&(e.inTangents=this.settings.inTangents,e.outTangents=this.settings.outTangents),e}setInterpolation(t){let e;switch(t){case Rr:e=this.InterpolantFactoryMethodDiscrete;break;case Jc:e=this.InterpolantFactoryMethodLinear;break;case zc:e=this.InterpolantFactoryMethodSmooth;break;case Fa:e=this.InterpolantFactoryMethodBezier;break}if(e===void 0){let i="unsupported interpolation for "+this.ValueTypeName+" keyframe track named "+this.name;if(this.createInterpolant===void 0)if(t!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw new Error(i);return jt("KeyframeTrack:",i),this}return this.createInterpolant=e,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return Rr;case this.InterpolantFactoryMethodLinear:return Jc;case this.InterpolantFactoryMethodSmooth:return zc;case this.InterpolantFactoryMethodBezier:return Fa}}getValueSize(){return this.values.length/this.times.length}shift(t){if(t!==0){let e=this.times;for(let i=0,n=e.length;i!==n;++i)e[i]+=t;Na(this.settings)&&(e0(this.settings.inTangents,t),e0(this.settings.outTangents,t))}return this}scale(t){if(t!==1){let e=this.times;for(let i=0,n=e.length;i!==n;++i)e[i]*=t;Na(this.settings)&&(i0(this.settings.inTangents,t),i0(this.settings.outTangents,t))}return this}trim(t,e){let i=this.times,n=i.length,r=0,o=n-1;for(;r!==n&&i[r]<t;)++r;for(;o!==-1&&i[o]>e;)--o;if(++o,r!==0||o!==n){r>=o&&(o=Math.max(o,1),r=o-1);let a=this.getValueSize();this.times=i.slice(r,o),this.values=this.values.slice(r*a,o*a)}return this}validate(){let t=!0,e=this.getValueSize();e-Math.floor(e)!==0&&(ne("KeyframeTrack: Invalid value size in track.",this),t=!1);let i=this.times,n=this.values,r=i.length;r===0&&(ne("KeyframeTrack: Track is empty.",this),t=!1);let o=null;for(let a=0;a!==r;a++){let l=i[a];if(typeof l=="number"&&isNaN(l)){ne("KeyframeTrack: Time is not a valid number.",this,a,l),t=!1;break}if(o!==null&&o>l){ne("KeyframeTrack: Out of order keys.",this,a,l,o),t=!1;break}o=l}if(n!==void 0&&Uv(n))for(let a=0,l=n.length;a!==l;++a){let c=n[a];if(isNaN(c)){ne("KeyframeTrack: Value is not a valid number.",this,a,c),t=!1;break}}return t}optimize(){let t=this.times.slice(),e=this.values.slice(),i=this.getValueSize(),n=this.getInterpolation()===zc,r=t.length-1,o=1;for(let a=1;a<r;++a){let l=!1,c=t[a],h=t[a+1];if(c!==h&&(a!==1||c!==t[0]))if(n)l=!0;else{let u=a*i,d=u-i,f=u+i;for(let m=0;m!==i;++m){let x=e[u+m];if(x!==e[d+m]||x!==e[f+m]){l=!0;break}}}if(l){if(a!==o){t[o]=t[a];let u=a*i,d=o*i;for(let f=0;f!==i;++f)e[d+f]=e[u+f]}++o}}if(r>0){t[o]=t[r];for(let a=r*i,l=o*i,c=0;c!==i;++c)e[l+c]=e[a+c];++o}return o!==t.length?(this.times=t.slice(0,o),this.values=e.slice(0,o*i)):(this.times=t,this.values=e),this}clone(){let t=this.times.slice(),e=this.values.slice(),i=this.constructor,n=new i(this.name,t,e);return n.createInterpolant=this.createInterpolant,Na(this.settings)&&(n.settings={inTangents:this.settings.inTangents.slice(),outTangents:this.settings.outTangents.slice()}),n}};function e0(s,t){for(let e=0,i=s.length;e!==i;e+=2)s[e]+=t}function i0(s,t){for(let e=0,i=s.length;e!==i;e+=2)s[e]*=t}an.prototype.ValueTypeName="";an.prototype.TimeBufferType=Float32Array;an.prototype.ValueBufferType=Float32Array;an.prototype.DefaultInterpolation=Jc;var Fs=class extends an{constructor(t,e,i){super(t,e,i)}};Fs.prototype.ValueTypeName="bool";Fs.prototype.ValueBufferType=Array;Fs.prototype.DefaultInterpolation=Rr;Fs.prototype.InterpolantFactoryMethodLinear=void 0;Fs.prototype.InterpolantFactoryMethodSmooth=void 0;var Qa=class extends an{constructor(t,e,i,n){super(t,e,i,n)}};Qa.prototype.ValueTypeName="color";var Go=class extends an{constructor(t,e,i,n){super(t,e,i,n)}};Go.prototype.ValueTypeName="number";var uh=class extends nr{constructor(t,e,i,n){super(t,e,i,n)}interpolate_(t,e,i,n){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=(i-e)/(n-e),c=t*a;for(let h=c+a;c!==h;c+=4)De.slerpFlat(r,0,o,c-a,o,c,l);return r}},us=class extends an{constructor(t,e,i,n){super(t,e,i,n)}InterpolantFactoryMethodLinear(t){return new uh(this.times,this.values,this.getValueSize(),t)}};us.prototype.ValueTypeName="quaternion";us.prototype.InterpolantFactoryMethodSmooth=void 0;var Os=class extends an{constructor(t,e,i){super(t,e,i)}};Os.prototype.ValueTypeName="string";Os.prototype.ValueBufferType=Array;Os.prototype.DefaultInterpolation=Rr;Os.prototype.InterpolantFactoryMethodLinear=void 0;Os.prototype.InterpolantFactoryMethodSmooth=void 0;var qi=class extends an{constructor(t,e,i,n){super(t,e,i,n)}};qi.prototype.ValueTypeName="vector";var Ho=class{constructor(t="",e=-1,i=[],n=D0){this.name=t,this.tracks=i,this.duration=e,this.blendMode=n,this.uuid=cr(),this.userData={},this.duration<0&&this.resetDuration()}static parse(t){let e=[],i=t.tracks,n=1/(t.fps||1);for(let o=0,a=i.length;o!==a;++o)e.push(Gb(i[o]).scale(n));let r=new this(t.name,t.duration,e,t.blendMode);return r.uuid=t.uuid,r.userData=JSON.parse(t.userData||"{}"),r}static toJSON(t){let e=[],i=t.tracks,n={name:t.name,duration:t.duration,tracks:e,uuid:t.uuid,blendMode:t.blendMode,userData:JSON.stringify(t.userData)};for(let r=0,o=i.length;r!==o;++r)e.push(an.toJSON(i[r]));return n}static CreateFromMorphTargetSequence(t,e,i,n){let r=e.length,o=[];for(let a=0;a<r;a++){let l=[],c=[];l.push((a+r-1)%r,a,(a+1)%r),c.push(0,1,0);let h=Ob(l);l=t0(l,1,h),c=t0(c,1,h),!n&&l[0]===0&&(l.push(r),c.push(c[0])),o.push(new Go(".morphTargetInfluences["+e[a].name+"]",l,c).scale(1/i))}return new this(t,-1,o)}static findByName(t,e){let i=t;if(!Array.isArray(t)){let n=t;i=n.geometry&&n.geometry.animations||n.animations}for(let n=0;n<i.length;n++)if(i[n].name===e)return i[n];return null}static CreateClipsFromMorphTargetSequences(t,e,i){let n={},r=/^([\w-]*?)([\d]+)$/;for(let a=0,l=t.length;a<l;a++){let c=t[a],h=c.name.match(r);if(h&&h.length>1){let u=h[1],d=n[u];d||(n[u]=d=[]),d.push(c)}}let o=[];for(let a in n)o.push(this.CreateFromMorphTargetSequence(a,n[a],e,i));return o}resetDuration(){let t=this.tracks,e=0;for(let i=0,n=t.length;i!==n;++i){let r=this.tracks[i];e=Math.max(e,r.times[r.times.length-1])}return this.duration=e,this}trim(){for(let t=0;t<this.tracks.length;t++)this.tracks[t].trim(0,this.duration);return this}validate(){let t=!0;for(let e=0;e<this.tracks.length;e++)t=t&&this.tracks[e].validate();return t}optimize(){for(let t=0;t<this.tracks.length;t++)this.tracks[t].optimize();return this}clone(){let t=[];for(let i=0;i<this.tracks.length;i++)t.push(this.tracks[i].clone());let e=new this.constructor(this.name,this.duration,t,this.blendMode);return e.userData=JSON.parse(JSON.stringify(this.userData)),e}toJSON(){return this.constructor.toJSON(this)}};function Vb(s){switch(s.toLowerCase()){case"scalar":case"double":case"float":case"number":case"integer":return Go;case"vector":case"vector2":case"vector3":case"vector4":return qi;case"color":return Qa;case"quaternion":return us;case"bool":case"boolean":return Fs;case"string":return Os}throw new Error("THREE.KeyframeTrack: Unsupported typeName: "+s)}function Gb(s){if(s.type===void 0)throw new Error("THREE.KeyframeTrack: track type undefined, can not parse");let t=Vb(s.type);if(s.times===void 0){let i=[],n=[];kb(s.keys,i,n,"value"),s.times=i,s.values=n}let e;return t.parse!==void 0?e=t.parse(s):e=new t(s.name,s.times,s.values,s.interpolation),Na(s.settings)&&(e.settings={inTangents:Qs(s.settings.inTangents,Float32Array),outTangents:Qs(s.settings.outTangents,Float32Array)}),e}var Io={enabled:!1,files:{},add:function(s,t){this.enabled!==!1&&(n0(s)||(this.files[s]=t))},get:function(s){if(this.enabled!==!1&&!n0(s))return this.files[s]},remove:function(s){delete this.files[s]},clear:function(){this.files={}}};function n0(s){try{let t=s.slice(s.indexOf(":")+1);return new URL(t).protocol==="blob:"}catch{return!1}}var Wo=class{constructor(t,e,i){let n=this,r=!1,o=0,a=0,l,c=[];this.onStart=void 0,this.onLoad=t,this.onProgress=e,this.onError=i,this._abortController=null,this.itemStart=function(h){a++,r===!1&&n.onStart!==void 0&&n.onStart(h,o,a),r=!0},this.itemEnd=function(h){o++,n.onProgress!==void 0&&n.onProgress(h,o,a),o===a&&(r=!1,n.onLoad!==void 0&&n.onLoad())},this.itemError=function(h){n.onError!==void 0&&n.onError(h)},this.resolveURL=function(h){return h=h.normalize("NFC"),l?l(h):h},this.setURLModifier=function(h){return l=h,this},this.addHandler=function(h,u){return c.push(h,u),this},this.removeHandler=function(h){let u=c.indexOf(h);return u!==-1&&c.splice(u,2),this},this.getHandler=function(h){for(let u=0,d=c.length;u<d;u+=2){let f=c[u],m=c[u+1];if(f.global&&(f.lastIndex=0),f.test(h))return m}return null},this.abort=function(){return this.abortController.abort(),this._abortController=null,this}}get abortController(){return this._abortController||(this._abortController=new AbortController),this._abortController}},Qh=new Wo,Yi=class{constructor(t){this.manager=t!==void 0?t:Qh,this.crossOrigin="anonymous",this.withCredentials=!1,this.path="",this.resourcePath="",this.requestHeader={},this.priority="auto",this.cache="default",typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}load(){}loadAsync(t,e){let i=this;return new Promise(function(n,r){i.load(t,n,e,r)})}parse(){}setCrossOrigin(t){return this.crossOrigin=t,this}setWithCredentials(t){return this.withCredentials=t,this}setPath(t){return this.path=t,this}setResourcePath(t){return this.resourcePath=t,this}setRequestHeader(t){return this.requestHeader=t,this}setPriority(t){return this.priority=t,this}setCache(t){return this.cache=t,this}abort(){return this}};Yi.DEFAULT_MATERIAL_NAME="__DEFAULT";var Rs={},sf=class extends Error{constructor(t,e){super(t),this.response=e}},ds=class extends Yi{constructor(t){super(t),this.mimeType="",this.responseType="",this._abortController=new AbortController}load(t,e,i,n){t===void 0&&(t=""),this.path!==void 0&&(t=this.path+t),t=this.manager.resolveURL(t);let r=Io.get(`file:${t}`);if(r!==void 0){this.manager.itemStart(t),setTimeout(()=>{e&&e(r),this.manager.itemEnd(t)},0);return}if(Rs[t]!==void 0){Rs[t].push({onLoad:e,onProgress:i,onError:n});return}Rs[t]=[],Rs[t].push({onLoad:e,onProgress:i,onError:n});let o=new Request(t,{headers:new Headers(this.requestHeader),credentials:this.withCredentials?"include":"same-origin",priority:this.priority,cache:this.cache,signal:typeof AbortSignal.any=="function"?AbortSignal.any([this._abortController.signal,this.manager.abortController.signal]):this._abortController.signal}),a=this.mimeType,l=this.responseType;fetch(o).then(c=>{if(c.status===200||c.status===0){if(c.status===0&&jt("FileLoader: HTTP Status 0 received."),typeof ReadableStream>"u"||c.body===void 0||c.body.getReader===void 0)return c;let h=Rs[t],u=c.body.getReader(),d=c.headers.get("X-File-Size")||c.headers.get("Content-Length"),f=d?parseInt(d):0,m=f!==0,x=0,g=new ReadableStream({start(p){_();function _(){u.read().then(({done:w,value:v})=>{if(w)p.close();else{x+=v.byteLength;let A=new ProgressEvent("progress",{lengthComputable:m,loaded:x,total:f});for(let S=0,y=h.length;S<y;S++){let M=h[S];M.onProgress&&M.onProgress(A)}p.enqueue(v),_()}},w=>{p.error(w)})}}});return new Response(g)}else throw new sf(`fetch for "${c.url}" responded with ${c.status}: ${c.statusText}`,c)}).then(c=>{switch(l){case"arraybuffer":return c.arrayBuffer();case"blob":return c.blob();case"document":return c.text().then(h=>new DOMParser().parseFromString(h,a));case"json":return c.json();default:if(a==="")return c.text();{let u=/charset="?([^;"\s]*)"?/i.exec(a),d=u&&u[1]?u[1].toLowerCase():void 0,f=new TextDecoder(d);return c.arrayBuffer().then(m=>f.decode(m))}}}).then(c=>{Io.add(`file:${t}`,c);let h=Rs[t];delete Rs[t];for(let u=0,d=h.length;u<d;u++){let f=h[u];f.onLoad&&f.onLoad(c)}}).catch(c=>{let h=Rs[t];if(h===void 0)throw this.manager.itemError(t),c;delete Rs[t];for(let u=0,d=h.length;u<d;u++){let f=h[u];f.onError&&f.onError(c)}this.manager.itemError(t)}).finally(()=>{this.manager.itemEnd(t)}),this.manager.itemStart(t)}setResponseType(t){return this.responseType=t,this}setMimeType(t){return this.mimeType=t,this}abort(){return this._abortController.abort(),this._abortController=new AbortController,this}};var Eo=new WeakMap,dh=class extends Yi{constructor(t){super(t)}load(t,e,i,n){this.path!==void 0&&(t=this.path+t),t=this.manager.resolveURL(t);let r=this,o=Io.get(`image:${t}`);if(o!==void 0){if(o.complete===!0)r.manager.itemStart(t),setTimeout(function(){e&&e(o),r.manager.itemEnd(t)},0);else{let u=Eo.get(o);u===void 0&&(u=[],Eo.set(o,u)),u.push({onLoad:e,onError:n})}return o}let a=Do("img");function l(){h(),e&&e(this);let u=Eo.get(this)||[];for(let d=0;d<u.length;d++){let f=u[d];f.onLoad&&f.onLoad(this)}Eo.delete(this),r.manager.itemEnd(t)}function c(u){h(),n&&n(u),Io.remove(`image:${t}`);let d=Eo.get(this)||[];for(let f=0;f<d.length;f++){let m=d[f];m.onError&&m.onError(u)}Eo.delete(this),r.manager.itemError(t),r.manager.itemEnd(t)}function h(){a.removeEventListener("load",l,!1),a.removeEventListener("error",c,!1)}return a.addEventListener("load",l,!1),a.addEventListener("error",c,!1),t.slice(0,5)!=="data:"&&this.crossOrigin!==void 0&&(a.crossOrigin=this.crossOrigin),Io.add(`image:${t}`,a),r.manager.itemStart(t),a.fetchPriority=this.priority,a.src=t,a}};var tl=class extends Yi{constructor(t){super(t)}load(t,e,i,n){let r=this,o=new Nr,a=new ds(this.manager);return a.setPriority(this.priority),a.setCache(this.cache),a.setResponseType("arraybuffer"),a.setRequestHeader(this.requestHeader),a.setPath(this.path),a.setWithCredentials(r.withCredentials),a.load(t,function(l){let c;try{c=r.parse(l)}catch(h){n!==void 0?n(h):ne(h);return}r._applyTexData(o,c),e&&e(o,c)},i,n),o}createDataTexture(t){let e=new Nr;return this._applyTexData(e,this.parse(t)),e}_applyTexData(t,e){e.image!==void 0?t.image=e.image:e.data!==void 0&&(t.image.width=e.width,t.image.height=e.height,t.image.data=e.data),t.wrapS=e.wrapS!==void 0?e.wrapS:nn,t.wrapT=e.wrapT!==void 0?e.wrapT:nn,t.magFilter=e.magFilter!==void 0?e.magFilter:Di,t.minFilter=e.minFilter!==void 0?e.minFilter:Di,t.anisotropy=e.anisotropy!==void 0?e.anisotropy:1,e.colorSpace!==void 0&&(t.colorSpace=e.colorSpace),e.flipY!==void 0&&(t.flipY=e.flipY),e.format!==void 0&&(t.format=e.format),e.type!==void 0&&(t.type=e.type),e.mipmaps!==void 0&&(t.mipmaps=e.mipmaps,t.minFilter=Ln),e.mipmapCount===1&&(t.minFilter=Di),e.generateMipmaps!==void 0&&(t.generateMipmaps=e.generateMipmaps),t.needsUpdate=!0}},Fr=class extends Yi{constructor(t){super(t)}load(t,e,i,n){let r=new sn,o=new dh(this.manager);return o.setPriority(this.priority),o.setCache(this.cache),o.setCrossOrigin(this.crossOrigin),o.setPath(this.path),o.load(t,function(a){r.image=a,r.needsUpdate=!0,e!==void 0&&e(r)},i,n),r}},sr=class extends Qe{static registerNode(t){this.prototype._lightNode=t}constructor(t,e=1){super(),this.isLight=!0,this.type="Light",this.color=new qt(t),this.intensity=e}copy(t,e){return super.copy(t,e),this.color.copy(t.color),this.intensity=t.intensity,this}toJSON(t){let e=super.toJSON(t);return e.object.color=this.color.getHex(),e.object.intensity=this.intensity,e}},el=class extends sr{constructor(t,e,i){super(t,i),this.isHemisphereLight=!0,this.type="HemisphereLight",this.position.copy(Qe.DEFAULT_UP),this.updateMatrix(),this.groundColor=new qt(e)}copy(t,e){return super.copy(t,e),this.groundColor.copy(t.groundColor),this}toJSON(t){let e=super.toJSON(t);return e.object.groundColor=this.groundColor.getHex(),e}},Yd=new Jt,s0=new V,r0=new V,Xo=class{constructor(t){this.camera=t,this.intensity=1,this.bias=0,this.biasNode=null,this.normalBias=0,this.radius=1,this.blurSamples=8,this.mapSize=new $t(512,512),this.mapType=ln,this.map=null,this.mapPass=null,this.matrix=new Jt,this.autoUpdate=!0,this.needsUpdate=!1,this._frustum=new tr,this._frameExtents=new $t(1,1),this._viewportCount=1,this._viewports=[new Ue(0,0,1,1)]}getViewportCount(){return this._viewportCount}getCamera(){return this.camera}getFrustum(){return this._frustum}updateMatrices(t){let e=this.camera;s0.setFromMatrixPosition(t.matrixWorld),e.position.copy(s0),r0.setFromMatrixPosition(t.target.matrixWorld),e.lookAt(r0),e.updateMatrixWorld(),this._updateMatrix(e,this.matrix,this._frustum)}_updateMatrix(t,e,i,n){Yd.multiplyMatrices(t.projectionMatrix,t.matrixWorldInverse),i.setFromProjectionMatrix(Yd,t.coordinateSystem,t.reversedDepth);let r=this._frameExtents,o=n?n.z/r.x:1,a=n?n.w/r.y:1,l=n?n.x/r.x:0,c=n?n.y/r.y:0;t.coordinateSystem===Lo||t.reversedDepth?e.set(.5*o,0,0,.5*o+l,0,.5*a,0,.5*a+c,0,0,1,0,0,0,0,1):e.set(.5*o,0,0,.5*o+l,0,.5*a,0,.5*a+c,0,0,.5,.5,0,0,0,1),e.multiply(Yd)}getViewport(t){return this._viewports[t]}getFrameExtents(){return this._frameExtents}dispose(){this.map&&this.map.dispose(),this.mapPass&&this.mapPass.dispose()}copy(t){return this.camera=t.camera.clone(),this.intensity=t.intensity,this.bias=t.bias,this.radius=t.radius,this.autoUpdate=t.autoUpdate,this.needsUpdate=t.needsUpdate,this.normalBias=t.normalBias,this.blurSamples=t.blurSamples,this.mapSize.copy(t.mapSize),this.mapType=t.mapType,this.biasNode=t.biasNode,this}clone(){return new this.constructor().copy(this)}toJSON(){let t={};return t.intensity=this.intensity,t.bias=this.bias,t.normalBias=this.normalBias,t.radius=this.radius,t.blurSamples=this.blurSamples,t.mapSize=this.mapSize.toArray(),t.mapType=this.mapType,t.camera=this.camera.toJSON(!1).object,delete t.camera.matrix,t}},Oc=new V,kc=new De,as=new V,il=class extends Qe{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new Jt,this.projectionMatrix=new Jt,this.projectionMatrixInverse=new Jt,this.coordinateSystem=Pn,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(t,e){return super.copy(t,e),this.matrixWorldInverse.copy(t.matrixWorldInverse),this.projectionMatrix.copy(t.projectionMatrix),this.projectionMatrixInverse.copy(t.projectionMatrixInverse),this.coordinateSystem=t.coordinateSystem,this}getWorldDirection(t){return super.getWorldDirection(t).negate()}updateMatrixWorld(t){super.updateMatrixWorld(t),this.matrixWorld.decompose(Oc,kc,as),as.x===1&&as.y===1&&as.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(Oc,kc,as.set(1,1,1)).invert()}updateWorldMatrix(t,e,i=!1){super.updateWorldMatrix(t,e,i),this.matrixWorld.decompose(Oc,kc,as),as.x===1&&as.y===1&&as.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(Oc,kc,as.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}},Ks=new V,o0=new $t,a0=new $t,yi=class extends il{constructor(t=50,e=1,i=.1,n=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=t,this.zoom=1,this.near=i,this.far=n,this.focus=10,this.aspect=e,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.fov=t.fov,this.zoom=t.zoom,this.near=t.near,this.far=t.far,this.focus=t.focus,this.aspect=t.aspect,this.view=t.view===null?null:Object.assign({},t.view),this.filmGauge=t.filmGauge,this.filmOffset=t.filmOffset,this}setFocalLength(t){let e=.5*this.getFilmHeight()/t;this.fov=Pr*2*Math.atan(e),this.updateProjectionMatrix()}getFocalLength(){let t=Math.tan(Da*.5*this.fov);return .5*this.getFilmHeight()/t}getEffectiveFOV(){return Pr*2*Math.atan(Math.tan(Da*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(t,e,i){Ks.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),e.set(Ks.x,Ks.y).multiplyScalar(-t/Ks.z),Ks.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),i.set(Ks.x,Ks.y).multiplyScalar(-t/Ks.z)}getViewSize(t,e){return this.getViewBounds(t,o0,a0),e.subVectors(a0,o0)}setViewOffset(t,e,i,n,r,o){this.aspect=t/e,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=i,this.view.offsetY=n,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=this.near,e=t*Math.tan(Da*.5*this.fov)/this.zoom,i=2*e,n=this.aspect*i,r=-.5*n,o=this.view;if(this.view!==null&&this.view.enabled){let l=o.fullWidth,c=o.fullHeight;r+=o.offsetX*n/l,e-=o.offsetY*i/c,n*=o.width/l,i*=o.height/c}let a=this.filmOffset;a!==0&&(r+=t*a/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+n,e,e-i,t,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.fov=this.fov,e.object.zoom=this.zoom,e.object.near=this.near,e.object.far=this.far,e.object.focus=this.focus,e.object.aspect=this.aspect,this.view!==null&&(e.object.view=Object.assign({},this.view)),e.object.filmGauge=this.filmGauge,e.object.filmOffset=this.filmOffset,e}},rf=class extends Xo{constructor(){super(new yi(50,1,.5,500)),this.isSpotLightShadow=!0,this.focus=1,this.aspect=1}updateMatrices(t){let e=this.camera,i=Pr*2*t.angle*this.focus,n=this.mapSize.width/this.mapSize.height*this.aspect,r=t.distance||e.far;(i!==e.fov||n!==e.aspect||r!==e.far)&&(e.fov=i,e.aspect=n,e.far=r,e.updateProjectionMatrix()),super.updateMatrices(t)}copy(t){return super.copy(t),this.focus=t.focus,this.aspect=t.aspect,this}toJSON(){let t=super.toJSON();return t.focus=this.focus,t.aspect=this.aspect,t}},nl=class extends sr{constructor(t,e,i=0,n=Math.PI/3,r=0,o=2){super(t,e),this.isSpotLight=!0,this.type="SpotLight",this.position.copy(Qe.DEFAULT_UP),this.updateMatrix(),this.target=new Qe,this.distance=i,this.angle=n,this.penumbra=r,this.decay=o,this.map=null,this.shadow=new rf}get power(){return this.intensity*Math.PI}set power(t){this.intensity=t/Math.PI}dispose(){super.dispose(),this.shadow.dispose()}copy(t,e){return super.copy(t,e),this.distance=t.distance,this.angle=t.angle,this.penumbra=t.penumbra,this.decay=t.decay,this.target=t.target.clone(),this.map=t.map,this.shadow=t.shadow.clone(),this}toJSON(t){let e=super.toJSON(t);return e.object.distance=this.distance,e.object.angle=this.angle,e.object.decay=this.decay,e.object.penumbra=this.penumbra,e.object.target=this.target.uuid,this.map&&this.map.isTexture&&(e.object.map=this.map.toJSON(t).uuid),e.object.shadow=this.shadow.toJSON(),e}},of=class extends Xo{constructor(){super(new yi(90,1,.5,500)),this.isPointLightShadow=!0}},sl=class extends sr{constructor(t,e,i=0,n=2){super(t,e),this.isPointLight=!0,this.type="PointLight",this.distance=i,this.decay=n,this.shadow=new of}get power(){return this.intensity*4*Math.PI}set power(t){this.intensity=t/(4*Math.PI)}dispose(){super.dispose(),this.shadow.dispose()}copy(t,e){return super.copy(t,e),this.distance=t.distance,this.decay=t.decay,this.shadow=t.shadow.clone(),this}toJSON(t){let e=super.toJSON(t);return e.object.distance=this.distance,e.object.decay=this.decay,e.object.shadow=this.shadow.toJSON(),e}},Or=class extends il{constructor(t=-1,e=1,i=1,n=-1,r=.1,o=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=t,this.right=e,this.top=i,this.bottom=n,this.near=r,this.far=o,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.left=t.left,this.right=t.right,this.top=t.top,this.bottom=t.bottom,this.near=t.near,this.far=t.far,this.zoom=t.zoom,this.view=t.view===null?null:Object.assign({},t.view),this}setViewOffset(t,e,i,n,r,o){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=i,this.view.offsetY=n,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=(this.right-this.left)/(2*this.zoom),e=(this.top-this.bottom)/(2*this.zoom),i=(this.right+this.left)/2,n=(this.top+this.bottom)/2,r=i-t,o=i+t,a=n+e,l=n-e;if(this.view!==null&&this.view.enabled){let c=(this.right-this.left)/this.view.fullWidth/this.zoom,h=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=c*this.view.offsetX,o=r+c*this.view.width,a-=h*this.view.offsetY,l=a-h*this.view.height}this.projectionMatrix.makeOrthographic(r,o,a,l,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.zoom=this.zoom,e.object.left=this.left,e.object.right=this.right,e.object.top=this.top,e.object.bottom=this.bottom,e.object.near=this.near,e.object.far=this.far,this.view!==null&&(e.object.view=Object.assign({},this.view)),e}},af=class extends Xo{constructor(){super(new Or(-5,5,5,-5,.5,500)),this.isDirectionalLightShadow=!0}},rr=class extends sr{constructor(t,e){super(t,e),this.isDirectionalLight=!0,this.type="DirectionalLight",this.position.copy(Qe.DEFAULT_UP),this.updateMatrix(),this.target=new Qe,this.shadow=new af}dispose(){super.dispose(),this.shadow.dispose()}copy(t){return super.copy(t),this.target=t.target.clone(),this.shadow=t.shadow.clone(),this}toJSON(t){let e=super.toJSON(t);return e.object.shadow=this.shadow.toJSON(),e.object.target=this.target.uuid,e}},kr=class extends sr{constructor(t,e){super(t,e),this.isAmbientLight=!0,this.type="AmbientLight"}};var Br=class{static extractUrlBase(t){let e=t.lastIndexOf("/");return e===-1?"./":t.slice(0,e+1)}static resolveURL(t,e){return typeof t!="string"||t===""?"":(/^https?:\/\//i.test(e)&&/^\//.test(t)&&(e=e.replace(/(^https?:\/\/[^\/]+).*/i,"$1")),/^(https?:)?\/\//i.test(t)||/^data:.*,.*$/i.test(t)||/^blob:.*$/i.test(t)?t:e+t)}};var Co=-90,Ro=1,qo=class extends Qe{constructor(t,e,i){super(),this.type="CubeCamera",this.renderTarget=i,this.coordinateSystem=null,this.activeMipmapLevel=0;let n=new yi(Co,Ro,t,e);n.layers=this.layers,this.add(n);let r=new yi(Co,Ro,t,e);r.layers=this.layers,this.add(r);let o=new yi(Co,Ro,t,e);o.layers=this.layers,this.add(o);let a=new yi(Co,Ro,t,e);a.layers=this.layers,this.add(a);let l=new yi(Co,Ro,t,e);l.layers=this.layers,this.add(l);let c=new yi(Co,Ro,t,e);c.layers=this.layers,this.add(c)}updateCoordinateSystem(){let t=this.coordinateSystem,e=this.children.concat(),[i,n,r,o,a,l]=e;for(let c of e)this.remove(c);if(t===Pn)i.up.set(0,1,0),i.lookAt(1,0,0),n.up.set(0,1,0),n.lookAt(-1,0,0),r.up.set(0,0,-1),r.lookAt(0,1,0),o.up.set(0,0,1),o.lookAt(0,-1,0),a.up.set(0,1,0),a.lookAt(0,0,1),l.up.set(0,1,0),l.lookAt(0,0,-1);else if(t===Lo)i.up.set(0,-1,0),i.lookAt(-1,0,0),n.up.set(0,-1,0),n.lookAt(1,0,0),r.up.set(0,0,1),r.lookAt(0,1,0),o.up.set(0,0,-1),o.lookAt(0,-1,0),a.up.set(0,-1,0),a.lookAt(0,0,1),l.up.set(0,-1,0),l.lookAt(0,0,-1);else throw new Error("THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: "+t);for(let c of e)this.add(c),c.updateMatrixWorld()}update(t,e){this.parent===null&&this.updateMatrixWorld();let{renderTarget:i,activeMipmapLevel:n}=this;this.coordinateSystem!==t.coordinateSystem&&(this.coordinateSystem=t.coordinateSystem,this.updateCoordinateSystem());let[r,o,a,l,c,h]=this.children,u=t.getRenderTarget(),d=t.getActiveCubeFace(),f=t.getActiveMipmapLevel(),m=t.xr.enabled;t.xr.enabled=!1;let x=i.texture.mipmapsAutoUpdate;i.texture.mipmapsAutoUpdate=!1;let g=!1;t.isWebGLRenderer===!0?g=t.state.buffers.depth.getReversed():g=t.reversedDepthBuffer,t.setRenderTarget(i,0,n),g&&t.autoClear===!1&&t.clearDepth(),t.render(e,r),t.setRenderTarget(i,1,n),g&&t.autoClear===!1&&t.clearDepth(),t.render(e,o),t.setRenderTarget(i,2,n),g&&t.autoClear===!1&&t.clearDepth(),t.render(e,a),t.setRenderTarget(i,3,n),g&&t.autoClear===!1&&t.clearDepth(),t.render(e,l),t.setRenderTarget(i,4,n),g&&t.autoClear===!1&&t.clearDepth(),t.render(e,c),i.texture.mipmapsAutoUpdate=x,t.setRenderTarget(i,5,n),g&&t.autoClear===!1&&t.clearDepth(),t.render(e,h),t.setRenderTarget(u,d,f),t.xr.enabled=m,i.texture.needsPMREMUpdate=!0}},fh=class extends yi{constructor(t=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=t,this.perCameraFrustumCulled=!1}};var zf="\\[\\]\\.:\\/",Hb=new RegExp("["+zf+"]","g"),Vf="[^"+zf+"]",Wb="[^"+zf.replace("\\.","")+"]",Xb=/((?:WC+[\/:])*)/.source.replace("WC",Vf),qb=/(WCOD+)?/.source.replace("WCOD",Wb),Yb=/(?:\.(WC+)(?:\[(.+)\])?)?/.source.replace("WC",Vf),jb=/\.(WC+)(?:\[(.+)\])?/.source.replace("WC",Vf),$b=new RegExp("^"+Xb+qb+Yb+jb+"$"),Jb=["material","materials","bones","map"],lf=class{constructor(t,e,i){let n=i||Je.parseTrackName(e);this._targetGroup=t,this._bindings=t.subscribe_(e,n)}getValue(t,e){this.bind();let i=this._targetGroup.nCachedObjects_,n=this._bindings[i];n!==void 0&&n.getValue(t,e)}setValue(t,e){let i=this._bindings;for(let n=this._targetGroup.nCachedObjects_,r=i.length;n!==r;++n)i[n].setValue(t,e)}bind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,i=t.length;e!==i;++e)t[e].bind()}unbind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,i=t.length;e!==i;++e)t[e].unbind()}},Je=class s{constructor(t,e,i){this.path=e,this.parsedPath=i||s.parseTrackName(e),this.node=s.findNode(t,this.parsedPath.nodeName),this.rootNode=t,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(t,e,i){return t&&t.isAnimationObjectGroup?new s.Composite(t,e,i):new s(t,e,i)}static sanitizeNodeName(t){return t.replace(/\s/g,"_").replace(Hb,"")}static parseTrackName(t){let e=$b.exec(t);if(e===null)throw new Error("THREE.PropertyBinding: Cannot parse trackName: "+t);let i={nodeName:e[2],objectName:e[3],objectIndex:e[4],propertyName:e[5],propertyIndex:e[6]},n=i.nodeName&&i.nodeName.lastIndexOf(".");if(n!==void 0&&n!==-1){let r=i.nodeName.substring(n+1);Jb.indexOf(r)!==-1&&(i.nodeName=i.nodeName.substring(0,n),i.objectName=r)}if(i.propertyName===null||i.propertyName.length===0)throw new Error("THREE.PropertyBinding: can not parse propertyName from trackName: "+t);return i}static findNode(t,e){if(e===void 0||e===""||e==="."||e===-1||e===t.name||e===t.uuid)return t;if(t.skeleton){let i=t.skeleton.getBoneByName(e);if(i!==void 0)return i}if(t.children){let i=function(r){for(let o=0;o<r.length;o++){let a=r[o];if(a.name===e||a.uuid===e)return a;let l=i(a.children);if(l)return l}return null},n=i(t.children);if(n)return n}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(t,e){t[e]=this.targetObject[this.propertyName]}_getValue_array(t,e){let i=this.resolvedProperty;for(let n=0,r=i.length;n!==r;++n)t[e++]=i[n]}_getValue_arrayElement(t,e){t[e]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(t,e){this.resolvedProperty.toArray(t,e)}_setValue_direct(t,e){this.targetObject[this.propertyName]=t[e]}_setValue_direct_setNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(t,e){let i=this.resolvedProperty;for(let n=0,r=i.length;n!==r;++n)i[n]=t[e++]}_setValue_array_setNeedsUpdate(t,e){let i=this.resolvedProperty;for(let n=0,r=i.length;n!==r;++n)i[n]=t[e++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(t,e){let i=this.resolvedProperty;for(let n=0,r=i.length;n!==r;++n)i[n]=t[e++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(t,e){this.resolvedProperty[this.propertyIndex]=t[e]}_setValue_arrayElement_setNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(t,e){this.resolvedProperty.fromArray(t,e)}_setValue_fromArray_setNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(t,e){this.bind(),this.getValue(t,e)}_setValue_unbound(t,e){this.bind(),this.setValue(t,e)}bind(){let t=this.node,e=this.parsedPath,i=e.objectName,n=e.propertyName,r=e.propertyIndex;if(t||(t=s.findNode(this.rootNode,e.nodeName),this.node=t),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!t){jt("PropertyBinding: No target node found for track: "+this.path+".");return}if(i){let c=e.objectIndex;switch(i){case"materials":if(!t.material){ne("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.materials){ne("PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.",this);return}t=t.material.materials;break;case"bones":if(!t.skeleton){ne("PropertyBinding: Can not bind to bones as node does not have a skeleton.",this);return}t=t.skeleton.bones;for(let h=0;h<t.length;h++)if(t[h].name===c){c=h;break}break;case"map":if("map"in t){t=t.map;break}if(!t.material){ne("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.map){ne("PropertyBinding: Can not bind to material.map as node.material does not have a map.",this);return}t=t.material.map;break;default:if(t[i]===void 0){ne("PropertyBinding: Can not bind to objectName of node undefined.",this);return}t=t[i]}if(c!==void 0){if(t[c]===void 0){ne("PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.",this,t);return}t=t[c]}}let o=t[n];if(o===void 0){let c=e.nodeName;ne("PropertyBinding: Trying to update property for track: "+c+"."+n+" but it wasn't found.",t);return}let a=this.Versioning.None;this.targetObject=t,t.isMaterial===!0?a=this.Versioning.NeedsUpdate:t.isObject3D===!0&&(a=this.Versioning.MatrixWorldNeedsUpdate);let l=this.BindingType.Direct;if(r!==void 0){if(n==="morphTargetInfluences"){if(!t.geometry){ne("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.",this);return}if(!t.geometry.morphAttributes){ne("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.",this);return}t.morphTargetDictionary[r]!==void 0&&(r=t.morphTargetDictionary[r])}l=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=r}else o.fromArray!==void 0&&o.toArray!==void 0?(l=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(l=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=n;this.getValue=this.GetterByBindingType[l],this.setValue=this.SetterByBindingTypeAndVersioning[l][a]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};Je.Composite=lf;Je.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3};Je.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2};Je.prototype.GetterByBindingType=[Je.prototype._getValue_direct,Je.prototype._getValue_array,Je.prototype._getValue_arrayElement,Je.prototype._getValue_toArray];Je.prototype.SetterByBindingTypeAndVersioning=[[Je.prototype._setValue_direct,Je.prototype._setValue_direct_setNeedsUpdate,Je.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[Je.prototype._setValue_array,Je.prototype._setValue_array_setNeedsUpdate,Je.prototype._setValue_array_setMatrixWorldNeedsUpdate],[Je.prototype._setValue_arrayElement,Je.prototype._setValue_arrayElement_setNeedsUpdate,Je.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[Je.prototype._setValue_fromArray,Je.prototype._setValue_fromArray_setNeedsUpdate,Je.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]];var U1=new Float32Array(1);var Yo=class{constructor(t=1,e=0,i=0){this.radius=t,this.phi=e,this.theta=i}set(t,e,i){return this.radius=t,this.phi=e,this.theta=i,this}copy(t){return this.radius=t.radius,this.phi=t.phi,this.theta=t.theta,this}makeSafe(){return this.phi=xe(this.phi,1e-6,Math.PI-1e-6),this}setFromVector3(t){return this.setFromCartesianCoords(t.x,t.y,t.z)}setFromCartesianCoords(t,e,i){return this.radius=Math.sqrt(t*t+e*e+i*i),this.radius===0?(this.theta=0,this.phi=0):(this.theta=Math.atan2(t,i),this.phi=Math.acos(xe(e/this.radius,-1,1))),this}clone(){return new this.constructor().copy(this)}};var cf=class{static{this.prototype.isMatrix2=!0}constructor(t,e,i,n){this.elements=[1,0,0,1],t!==void 0&&this.set(t,e,i,n)}identity(){return this.set(1,0,0,1),this}fromArray(t,e=0){for(let i=0;i<4;i++)this.elements[i]=t[i+e];return this}set(t,e,i,n){let r=this.elements;return r[0]=t,r[2]=e,r[1]=i,r[3]=n,this}};var rl=class extends wn{constructor(t=10,e=10,i=4473924,n=8947848){i=new qt(i),n=new qt(n);let r=e/2,o=t/e,a=t/2,l=[],c=[];for(let d=0,f=0,m=-a;d<=e;d++,m+=o){l.push(-a,0,m,a,0,m),l.push(m,0,-a,m,0,a);let x=d===r?i:n;x.toArray(c,f),f+=3,x.toArray(c,f),f+=3,x.toArray(c,f),f+=3,x.toArray(c,f),f+=3}let h=new ke;h.setAttribute("position",new re(l,3)),h.setAttribute("color",new re(c,3));let u=new zi({vertexColors:!0,toneMapped:!1});super(h,u),this.type="GridHelper"}dispose(){super.dispose(),this.geometry.dispose(),this.material.dispose()}};var l0=new V,Bc,jd,ol=class extends Qe{constructor(t=new V(0,0,1),e=new V(0,0,0),i=1,n=16776960,r=i*.2,o=r*.2){super(),this.type="ArrowHelper",Bc===void 0&&(Bc=new ke,Bc.setAttribute("position",new re([0,0,0,0,1,0],3)),jd=new nh(.5,1,5,1),jd.translate(0,-.5,0)),this.position.copy(e),this.line=new Lr(Bc,new zi({color:n,toneMapped:!1})),this.line.matrixAutoUpdate=!1,this.add(this.line),this.cone=new Ge(jd,new jn({color:n,toneMapped:!1})),this.cone.matrixAutoUpdate=!1,this.add(this.cone),this.setDirection(t),this.setLength(i,r,o)}setDirection(t){if(t.y>.99999)this.quaternion.set(0,0,0,1);else if(t.y<-.99999)this.quaternion.set(1,0,0,0);else{l0.set(t.z,0,-t.x).normalize();let e=Math.acos(t.y);this.quaternion.setFromAxisAngle(l0,e)}}setLength(t,e=t*.2,i=e*.2){this.line.scale.set(1,Math.max(1e-4,t-e),1),this.line.updateMatrix(),this.cone.scale.set(i,e,i),this.cone.position.y=t,this.cone.updateMatrix()}setColor(t){this.line.material.color.set(t),this.cone.material.color.set(t)}copy(t){return super.copy(t,!1),this.line.copy(t.line),this.cone.copy(t.cone),this}dispose(){super.dispose(),this.line.geometry.dispose(),this.line.material.dispose(),this.cone.geometry.dispose(),this.cone.material.dispose()}},jo=class extends wn{constructor(t=1){let e=[0,0,0,t,0,0,0,0,0,0,t,0,0,0,0,0,0,t],i=[1,0,0,1,.6,0,0,1,0,.6,1,0,0,0,1,0,.6,1],n=new ke;n.setAttribute("position",new re(e,3)),n.setAttribute("color",new re(i,3));let r=new zi({vertexColors:!0,toneMapped:!1});super(n,r),this.type="AxesHelper"}setColors(t,e,i){let n=new qt,r=this.geometry.attributes.color.array;return n.set(t),n.toArray(r,0),n.toArray(r,3),n.set(e),n.toArray(r,6),n.toArray(r,9),n.set(i),n.toArray(r,12),n.toArray(r,15),this.geometry.attributes.color.needsUpdate=!0,this}dispose(){super.dispose(),this.geometry.dispose(),this.material.dispose()}};var al=class extends qn{constructor(t,e=null){super(),this.object=t,this.domElement=e,this.enabled=!0,this.state=-1,this.keys={},this.mouseButtons={LEFT:null,MIDDLE:null,RIGHT:null},this.touches={ONE:null,TWO:null}}connect(t){this.domElement!==null&&this.disconnect(),this.domElement=t}disconnect(){}dispose(){}update(){}};function Gf(s,t,e,i){let n=Zb(i);switch(e){case Cf:return s*t;case Pf:return s*t/n.components*n.byteLength;case vh:return s*t/n.components*n.byteLength;case lr:return s*t*2/n.components*n.byteLength;case bh:return s*t*2/n.components*n.byteLength;case Rf:return s*t*3/n.components*n.byteLength;case Un:return s*t*4/n.components*n.byteLength;case Sh:return s*t*4/n.components*n.byteLength;case ul:case dl:return Math.floor((s+3)/4)*Math.floor((t+3)/4)*8;case fl:case pl:return Math.floor((s+3)/4)*Math.floor((t+3)/4)*16;case wh:case Ah:return Math.max(s,16)*Math.max(t,8)/4;case Mh:case Th:return Math.max(s,8)*Math.max(t,8)/2;case Eh:case Ch:case Ph:case Ih:return Math.floor((s+3)/4)*Math.floor((t+3)/4)*8;case Rh:case ml:case Nh:return Math.floor((s+3)/4)*Math.floor((t+3)/4)*16;case Lh:return Math.floor((s+3)/4)*Math.floor((t+3)/4)*16;case Dh:return Math.floor((s+4)/5)*Math.floor((t+3)/4)*16;case Uh:return Math.floor((s+4)/5)*Math.floor((t+4)/5)*16;case Fh:return Math.floor((s+5)/6)*Math.floor((t+4)/5)*16;case Oh:return Math.floor((s+5)/6)*Math.floor((t+5)/6)*16;case kh:return Math.floor((s+7)/8)*Math.floor((t+4)/5)*16;case Bh:return Math.floor((s+7)/8)*Math.floor((t+5)/6)*16;case zh:return Math.floor((s+7)/8)*Math.floor((t+7)/8)*16;case Vh:return Math.floor((s+9)/10)*Math.floor((t+4)/5)*16;case Gh:return Math.floor((s+9)/10)*Math.floor((t+5)/6)*16;case Hh:return Math.floor((s+9)/10)*Math.floor((t+7)/8)*16;case Wh:return Math.floor((s+9)/10)*Math.floor((t+9)/10)*16;case Xh:return Math.floor((s+11)/12)*Math.floor((t+9)/10)*16;case qh:return Math.floor((s+11)/12)*Math.floor((t+11)/12)*16;case Yh:case jh:case $h:return Math.ceil(s/4)*Math.ceil(t/4)*16;case Jh:case Zh:return Math.ceil(s/4)*Math.ceil(t/4)*8;case gl:case Kh:return Math.ceil(s/4)*Math.ceil(t/4)*16}throw new Error(`Unable to determine texture byte length for ${e} format.`)}function Zb(s){switch(s){case ln:case wf:return{byteLength:1,components:1};case Ko:case Tf:case Zn:return{byteLength:2,components:1};case xh:case yh:return{byteLength:2,components:4};case Jn:case _h:case Dn:return{byteLength:4,components:1};case Af:case Ef:return{byteLength:4,components:3}}throw new Error(`THREE.TextureUtils: Unknown texture type ${s}.`)}typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:"187"}}));typeof window<"u"&&(window.__THREE__?jt("WARNING: Multiple instances of Three.js being imported."):window.__THREE__="187");function w_(){let s=null,t=!1,e=null,i=null;function n(r,o){i=s.requestAnimationFrame(n),e(r,o)}return{start:function(){t!==!0&&e!==null&&s!==null&&(i=s.requestAnimationFrame(n),t=!0)},stop:function(){s!==null&&s.cancelAnimationFrame(i),t=!1},setAnimationLoop:function(r){e=r},setContext:function(r){s=r}}}function Qb(s){let t=new WeakMap;function e(a,l){let c=a.array,h=a.usage,u=c.byteLength,d=s.createBuffer();s.bindBuffer(l,d),s.bufferData(l,c,h),a.onUploadCallback();let f;if(c instanceof Float32Array)f=s.FLOAT;else if(typeof Float16Array<"u"&&c instanceof Float16Array)f=s.HALF_FLOAT;else if(c instanceof Uint16Array)a.isFloat16BufferAttribute?f=s.HALF_FLOAT:f=s.UNSIGNED_SHORT;else if(c instanceof Int16Array)f=s.SHORT;else if(c instanceof Uint32Array)f=s.UNSIGNED_INT;else if(c instanceof Int32Array)f=s.INT;else if(c instanceof Int8Array)f=s.BYTE;else if(c instanceof Uint8Array)f=s.UNSIGNED_BYTE;else if(c instanceof Uint8ClampedArray)f=s.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+c);return{buffer:d,type:f,bytesPerElement:c.BYTES_PER_ELEMENT,version:a.version,size:u}}function i(a,l,c){let h=l.array,u=l.updateRanges;if(s.bindBuffer(c,a),u.length===0)s.bufferSubData(c,0,h);else{u.sort((f,m)=>f.start-m.start);let d=0;for(let f=1;f<u.length;f++){let m=u[d],x=u[f];x.start<=m.start+m.count+1?m.count=Math.max(m.count,x.start+x.count-m.start):(++d,u[d]=x)}u.length=d+1;for(let f=0,m=u.length;f<m;f++){let x=u[f];s.bufferSubData(c,x.start*h.BYTES_PER_ELEMENT,h,x.start,x.count)}l.clearUpdateRanges()}l.onUploadCallback()}function n(a){return a.isInterleavedBufferAttribute&&(a=a.data),t.get(a)}function r(a){a.isInterleavedBufferAttribute&&(a=a.data);let l=t.get(a);l&&(s.deleteBuffer(l.buffer),t.delete(a))}function o(a,l){if(a.isInterleavedBufferAttribute&&(a=a.data),a.isGLBufferAttribute){let h=t.get(a);(!h||h.version<a.version)&&t.set(a,{buffer:a.buffer,type:a.type,bytesPerElement:a.elementSize,version:a.version});return}let c=t.get(a);if(c===void 0)t.set(a,e(a,l));else if(c.version<a.version){if(c.size!==a.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");i(c.buffer,a,l),c.version=a.version}}return{get:n,remove:r,update:o}}var tS=`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,eS=`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,iS=`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,nS=`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,sS=`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,rS=`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,oS=`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,aS=`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,lS=`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec4 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 );
	}
#endif`,cS=`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,hS=`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,uS=`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,dS=`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,fS=`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,pS=`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,mS=`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,gS=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,_S=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,xS=`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,yS=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#endif`,vS=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#endif`,bS=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec4 vColor;
#endif`,SS=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec4( 1.0 );
#endif
#ifdef USE_COLOR_ALPHA
	vColor *= color;
#elif defined( USE_COLOR )
	vColor.rgb *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.rgb *= instanceColor.rgb;
#endif
#ifdef USE_BATCHING_COLOR
	vColor *= getBatchingColor( getIndirectIndex( gl_DrawID ) );
#endif`,MS=`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
#define inverseTransformDirection transformDirectionByInverseViewMatrix
vec3 transformNormalByInverseViewMatrix( in vec3 normal, in mat4 viewMatrix ) {
	return normalize( ( vec4( normal, 0.0 ) * viewMatrix ).xyz );
}
vec3 transformDirectionByInverseViewMatrix( in vec3 dir, in mat4 viewMatrix ) {
	return normalize( ( vec4( dir, 0.0 ) * viewMatrix ).xyz );
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,wS=`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
#endif`,TS=`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,AS=`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,ES=`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,CS=`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,RS="gl_FragColor = linearToOutputTexel( gl_FragColor );",PS=`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,IS=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * reflectVec );
		#ifdef ENVMAP_BLENDING_MULTIPLY
			outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_MIX )
			outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_ADD )
			outgoingLight += envColor.xyz * specularStrength * reflectivity;
		#endif
	#endif
#endif`,NS=`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform mat3 envMapRotation;
	uniform samplerCube envMap;
	#ifdef ENVMAP_TYPE_PMREM
		float roughnessToMip( const in float roughness ) {
			float r = clamp( roughness, 0.0, 1.0 );
			return ENVMAP_MAX_LOD * r * ( 2.0 - r );
		}
	#endif
#endif`,LS=`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,DS=`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,US=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,FS=`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,OS=`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,kS=`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,BS=`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,zS=`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,VS=`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,GS=`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,HS=`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,WS=`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_SUN_LIGHTS > 0
	struct SunLight {
		vec3 direction;
		vec3 color;
	};
	uniform SunLight sunLights[ NUM_SUN_LIGHTS ];
	void getSunLightInfo( const in SunLight sunLight, out IncidentLight light ) {
		light.color = sunLight.color;
		light.direction = sunLight.direction;
		light.visible = true;
	}
#endif
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif
#include <lightprobes_pars_fragment>`,XS=`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * worldNormal, ENVMAP_MAX_LOD );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, pow4( roughness ) ) );
			reflectVec = transformDirectionByInverseViewMatrix( reflectVec, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * reflectVec, roughnessToMip( roughness ) );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_RETROREFLECTION
		vec3 getIBLRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 retroVec = normalize( mix( viewDir, normal, pow4( roughness ) ) );
				retroVec = transformDirectionByInverseViewMatrix( retroVec, viewMatrix );
				vec4 envMapColor = textureLod( envMap, envMapRotation * retroVec, roughnessToMip( roughness ) );
				return envMapColor.rgb * envMapIntensity;
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
		#ifdef USE_RETROREFLECTION
			vec3 getIBLAnisotropyRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
				#ifdef ENVMAP_TYPE_PMREM
					vec3 bentNormal = cross( bitangent, viewDir );
					bentNormal = normalize( cross( bentNormal, bitangent ) );
					bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
					return getIBLRetroRadiance( viewDir, bentNormal, roughness );
				#else
					return vec3( 0.0 );
				#endif
			}
		#endif
	#endif
#endif`,qS=`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,YS=`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,jS=`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,$S=`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,JS=`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.diffuseContribution = diffuseColor.rgb * ( 1.0 - metalnessFactor );
material.metalness = metalnessFactor;
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.045 );
material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef USE_DIFFUSE_ROUGHNESS
	float diffuseRoughnessFactor = diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		diffuseRoughnessFactor *= texture2D( diffuseRoughnessMap, vDiffuseRoughnessMapUv ).r;
	#endif
	material.diffuseRoughness = saturate( diffuseRoughnessFactor );
#endif
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor;
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = vec3( 0.04 );
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.045 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_RETROREFLECTION
	material.retroreflectivity = retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.0001, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,ZS=`uniform sampler2D dfgLUT;
struct PhysicalMaterial {
	vec3 diffuseColor;
	vec3 diffuseContribution;
	vec3 specularColor;
	vec3 specularColorBlended;
	float roughness;
	float metalness;
	float specularF90;
	float dispersion;
	vec2 dfg;
	vec3 multiScatteringCompensation;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float diffuseRoughness;
	#endif
	#ifdef USE_RETROREFLECTION
		float retroreflectivity;
	#endif
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0Dielectric;
		vec3 iridescenceF0Metallic;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
#ifdef USE_DIFFUSE_ROUGHNESS
	const float EON_EPSILON = 1e-7;
	float FON_DirectionalAlbedo( const in float mu, const in float roughness, const in float A ) {
		float muComp = 1.0 - mu;
		float gOverPi = muComp * ( 0.0571085289 + muComp * ( 0.491881867 + muComp * ( - 0.332181442 + muComp * 0.0714429953 ) ) );
		return A * ( 1.0 + roughness * gOverPi );
	}
	vec3 BRDF_EON( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 diffuseColor, const in float roughness ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return BRDF_Lambert( rho );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float s = dot( lightDir, viewDir ) - dotNL * dotNV;
		float sOverT = ( s > 0.0 ) ? s / max( max( dotNL, dotNV ), EON_EPSILON ) : s;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		vec3 singleScatter = rho * RECIPROCAL_PI * A * ( 1.0 + roughness * sOverT );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		float albedoV = FON_DirectionalAlbedo( dotNV, roughness, A );
		float albedoL = FON_DirectionalAlbedo( dotNL, roughness, A );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		vec3 multiScatter = rhoMultiScatter * RECIPROCAL_PI
			* max( EON_EPSILON, 1.0 - albedoV )
			* max( EON_EPSILON, 1.0 - albedoL )
			/ max( EON_EPSILON, 1.0 - averageAlbedo );
		return singleScatter + multiScatter;
	}
	vec3 EON_DirectionalAlbedo( const in vec3 diffuseColor, const in float roughness, const in float dotNV ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return rho;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		float directionalAlbedo = FON_DirectionalAlbedo( dotNV, roughness, A );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		return rho * directionalAlbedo + rhoMultiScatter * ( 1.0 - directionalAlbedo );
	}
#endif
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		return 0.5 / max( gv + gl, EPSILON );
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = max( material.clearcoatRoughness, 0.045 );
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColorBlended;
	float f90 = material.specularF90;
	float roughness = max( material.roughness, 0.045 );
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float alphaT = max( material.alphaT, alpha );
		float V = V_GGX_SmithCorrelated_Anisotropic( alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transpose( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float rInv = 1.0 / ( roughness + 0.1 );
	float a = -1.9362 + 1.0678 * roughness + 0.4573 * r2 - 0.8469 * rInv;
	float b = -0.6014 + 0.5538 * roughness - 0.4670 * r2 - 0.1255 * rInv;
	float DG = exp( a * dotNV + b );
	return saturate( DG );
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	vec2 fab = texture2D( dfgLUT, vec2( roughness, dotNV ) ).rg;
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec2 fab, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec2 fab, const in vec3 specularColor, const in float specularF90, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColorBlended * t2.x + ( material.specularF90 - material.specularColorBlended ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseContribution * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
		#ifdef USE_CLEARCOAT
			vec3 Ncc = geometryClearcoatNormal;
			vec2 uvClearcoat = LTC_Uv( Ncc, viewDir, material.clearcoatRoughness );
			vec4 t1Clearcoat = texture2D( ltc_1, uvClearcoat );
			vec4 t2Clearcoat = texture2D( ltc_2, uvClearcoat );
			mat3 mInvClearcoat = mat3(
				vec3( t1Clearcoat.x, 0, t1Clearcoat.y ),
				vec3(             0, 1,             0 ),
				vec3( t1Clearcoat.z, 0, t1Clearcoat.w )
			);
			vec3 fresnelClearcoat = material.clearcoatF0 * t2Clearcoat.x + ( material.clearcoatF90 - material.clearcoatF0 ) * t2Clearcoat.y;
			clearcoatSpecularDirect += lightColor * fresnelClearcoat * LTC_Evaluate( Ncc, viewDir, position, mInvClearcoat, rectCoords );
		#endif
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
 
 		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
 
 		float sheenAlbedoV = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
 		float sheenAlbedoL = IBLSheenBRDF( geometryNormal, directLight.direction, material.sheenRoughness );
 
 		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * max( sheenAlbedoV, sheenAlbedoL );
 
 		irradiance *= sheenEnergyComp;
 
 	#endif
	vec3 specularBRDF = BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	#ifdef USE_RETROREFLECTION
		vec3 retroViewDir = reflect( - geometryViewDir, geometryNormal );
		vec3 retroSpecularBRDF = BRDF_GGX( directLight.direction, retroViewDir, geometryNormal, material );
		specularBRDF = mix( specularBRDF, retroSpecularBRDF, saturate( material.retroreflectivity ) );
	#endif
	reflectedLight.directSpecular += irradiance * specularBRDF * material.multiScatteringCompensation;
	vec3 halfDir = normalize( directLight.direction + geometryViewDir );
	float dotVH = saturate( dot( geometryViewDir, halfDir ) );
	vec3 F = F_Schlick( material.specularColor, material.specularF90, dotVH );
	#ifdef USE_RETROREFLECTION
		vec3 retroHalfDir = normalize( directLight.direction + retroViewDir );
		float dotRetroVH = saturate( dot( retroViewDir, retroHalfDir ) );
		vec3 retroF = F_Schlick( material.specularColor, material.specularF90, dotRetroVH );
		F = mix( F, retroF, saturate( material.retroreflectivity ) );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		vec3 diffuseBRDF = BRDF_EON( directLight.direction, geometryViewDir, geometryNormal, material.diffuseColor, material.diffuseRoughness ) * ( 1.0 - material.metalness );
	#else
		vec3 diffuseBRDF = BRDF_Lambert( material.diffuseContribution );
	#endif
	reflectedLight.directDiffuse += irradiance * diffuseBRDF * ( 1.0 - F );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScattering, multiScattering );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScattering, multiScattering );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuseAlbedo = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness );
		vec3 diffuse = irradiance * RECIPROCAL_PI * diffuseAlbedo * ( 1.0 - singleScattering - multiScattering );
	#else
		vec3 diffuse = irradiance * BRDF_Lambert( material.diffuseContribution ) * ( 1.0 - singleScattering - multiScattering );
	#endif
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		sheenSpecularIndirect += irradiance * material.sheenColor * sheenAlbedo * RECIPROCAL_PI;
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		diffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectDiffuse += diffuse;
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness ) * RECIPROCAL_PI;
 	#endif
	vec3 singleScatteringDielectric = vec3( 0.0 );
	vec3 multiScatteringDielectric = vec3( 0.0 );
	vec3 singleScatteringMetallic = vec3( 0.0 );
	vec3 multiScatteringMetallic = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscatteringIridescence( material.dfg, material.diffuseColor, material.specularF90, material.iridescence, material.iridescenceF0Metallic, singleScatteringMetallic, multiScatteringMetallic );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscattering( material.dfg, material.diffuseColor, material.specularF90, singleScatteringMetallic, multiScatteringMetallic );
	#endif
	vec3 singleScattering = mix( singleScatteringDielectric, singleScatteringMetallic, material.metalness );
	vec3 multiScattering = mix( multiScatteringDielectric, multiScatteringMetallic, material.metalness );
	vec3 totalScatteringDielectric = singleScatteringDielectric + multiScatteringDielectric;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuse = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness ) * ( 1.0 - totalScatteringDielectric );
	#else
		vec3 diffuse = material.diffuseContribution * ( 1.0 - totalScatteringDielectric );
	#endif
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	vec3 indirectSpecular = radiance * singleScattering;
	indirectSpecular += multiScattering * cosineWeightedIrradiance;
	vec3 indirectDiffuse = diffuse * cosineWeightedIrradiance;
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		indirectSpecular *= sheenEnergyComp;
		indirectDiffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectSpecular += indirectSpecular;
	reflectedLight.indirectDiffuse += indirectDiffuse;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,KS=`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		vec3 iridescenceFresnelDielectric = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		vec3 iridescenceFresnelMetallic = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.diffuseColor );
		material.iridescenceFresnel = mix( iridescenceFresnelDielectric, iridescenceFresnelMetallic, material.metalness );
		material.iridescenceF0Dielectric = Schlick_to_F0( iridescenceFresnelDielectric, 1.0, dotNVi );
		material.iridescenceF0Metallic = Schlick_to_F0( iridescenceFresnelMetallic, 1.0, dotNVi );
	}
#endif
#ifdef STANDARD
	float dotNVms = saturate( dot( geometryNormal, geometryViewDir ) );
	material.dfg = texture2D( dfgLUT, vec2( material.roughness, dotNVms ) ).rg;
	#if ( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 || NUM_POINT_LIGHTS > 0 || NUM_SPOT_LIGHTS > 0 )
		float EssMs = material.dfg.x + material.dfg.y;
		material.multiScatteringCompensation = 1.0 + material.specularColorBlended * ( 1.0 / EssMs - 1.0 );
	#endif
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS ) && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SUN_LIGHTS > 0 ) && defined( RE_Direct )
	SunLight sunLight;
	#if defined( USE_SHADOWMAP ) && NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHTS; i ++ ) {
		sunLight = sunLights[ i ];
		getSunLightInfo( sunLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SUN_LIGHT_SHADOWS )
		sunLightShadow = sunLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getSunShadow( sunShadowMap[ i ], sunLightShadow, UNROLLED_LOOP_INDEX ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_LIGHT_PROBE_GRIDS > 0
		vec3 probeWorldPos = ( ( vec4( geometryPosition, 1.0 ) - viewMatrix[ 3 ] ) * viewMatrix ).xyz;
		vec3 probeWorldNormal = transformNormalByInverseViewMatrix( geometryNormal, viewMatrix );
		int probeGrid = - 1;
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( isInsideLightProbeGrid( probeWorldPos, probeWorldNormal, probesMin[ i ], probesMax[ i ], probesResolution[ i ] ) ) probeGrid = UNROLLED_LOOP_INDEX;
		}
		#pragma unroll_loop_end
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( probeGrid == UNROLLED_LOOP_INDEX ) irradiance += getLightProbeGridIrradiance( probesSH[ i ], probesMin[ i ], probesMax[ i ], probesResolution[ i ], probeWorldPos, probeWorldNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,QS=`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( ENVMAP_TYPE_PMREM )
		#if defined( STANDARD ) || defined( LAMBERT ) || defined( PHONG )
			iblIrradiance += getIBLIrradiance( geometryNormal );
		#endif
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		vec3 iblRadiance = getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		vec3 iblRadiance = getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_RETROREFLECTION
		#ifdef USE_ANISOTROPY
			vec3 retroIBLRadiance = getIBLAnisotropyRetroRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
		#else
			vec3 retroIBLRadiance = getIBLRetroRadiance( geometryViewDir, geometryNormal, material.roughness );
		#endif
		iblRadiance = mix( iblRadiance, retroIBLRadiance, saturate( material.retroreflectivity ) );
	#endif
	radiance += iblRadiance;
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,tM=`#if defined( RE_IndirectDiffuse )
	#if defined( LAMBERT ) || defined( PHONG )
		irradiance += iblIrradiance;
	#endif
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,eM=`#if NUM_LIGHT_PROBE_GRIDS > 0
uniform highp sampler3D probesSH[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMin[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMax[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesResolution[ NUM_LIGHT_PROBE_GRIDS ];
bool isInsideLightProbeGrid( vec3 worldPos, vec3 worldNormal, vec3 probesMin, vec3 probesMax, vec3 probesResolution ) {
	vec3 spacing = ( probesMax - probesMin ) / probesResolution;
	vec3 samplePos = worldPos + worldNormal * spacing * 0.5;
	vec3 margin = spacing * 0.01;
	return all( greaterThanEqual( samplePos, probesMin - margin ) ) && all( lessThanEqual( samplePos, probesMax + margin ) );
}
vec3 getLightProbeGridIrradiance( highp sampler3D probesSH, vec3 probesMin, vec3 probesMax, vec3 probesResolution, vec3 worldPos, vec3 worldNormal ) {
	vec3 res = probesResolution;
	vec3 gridRange = probesMax - probesMin;
	vec3 probeSpacing = gridRange / res;
	vec3 samplePos = worldPos + worldNormal * probeSpacing * 0.5;
	vec3 uvw = clamp( ( samplePos - probesMin ) / gridRange, 0.5 / res, 1.0 - 0.5 / res );
	float nz          = res.z;
	float paddedSlices = nz + 2.0;
	float atlasDepth  = 7.0 * paddedSlices;
	float uvZBase     = uvw.z * nz + 1.0;
	vec4 s0 = texture( probesSH, vec3( uvw.xy, ( uvZBase                       ) / atlasDepth ) );
	vec4 s1 = texture( probesSH, vec3( uvw.xy, ( uvZBase +       paddedSlices   ) / atlasDepth ) );
	vec4 s2 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 2.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s3 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 3.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s4 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 4.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s5 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 5.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s6 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 6.0 * paddedSlices   ) / atlasDepth ) );
	vec3 c0 = s0.xyz;
	vec3 c1 = vec3( s0.w, s1.xy );
	vec3 c2 = vec3( s1.zw, s2.x );
	vec3 c3 = s2.yzw;
	vec3 c4 = s3.xyz;
	vec3 c5 = vec3( s3.w, s4.xy );
	vec3 c6 = vec3( s4.zw, s5.x );
	vec3 c7 = s5.yzw;
	vec3 c8 = s6.xyz;
	float x = worldNormal.x, y = worldNormal.y, z = worldNormal.z;
	vec3 result = c0 * 0.886227;
	result += c1 * 2.0 * 0.511664 * y;
	result += c2 * 2.0 * 0.511664 * z;
	result += c3 * 2.0 * 0.511664 * x;
	result += c4 * 2.0 * 0.429043 * x * y;
	result += c5 * 2.0 * 0.429043 * y * z;
	result += c6 * ( 0.743125 * z * z - 0.247708 );
	result += c7 * 2.0 * 0.429043 * x * z;
	result += c8 * 0.429043 * ( x * x - y * y );
	return max( result, vec3( 0.0 ) );
}
#endif`,iM=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,nM=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,sM=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,rM=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,oM=`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,aM=`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,lM=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,cM=`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,hM=`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,uM=`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,dM=`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,fM=`#if defined( USE_MORPHCOLORS )
	#if defined( USE_COLOR_ALPHA )
		vColor *= morphTargetBaseInfluence;
	#elif defined( USE_COLOR )
		vColor.rgb *= morphTargetBaseInfluence;
	#endif
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor.rgb += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,pM=`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,mM=`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,gM=`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,_M=`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#ifdef DOUBLE_SIDED
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#ifdef DOUBLE_SIDED
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,xM=`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#if defined( USE_PACKED_NORMALMAP )
		mapN = vec3( mapN.xy, sqrt( saturate( 1.0 - dot( mapN.xy, mapN.xy ) ) ) );
	#endif
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,yM=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,vM=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,bM=`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
		#ifdef FLIP_SIDED
			vBitangent = - vBitangent;
		#endif
	#endif
#endif`,SM=`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,MM=`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,wM=`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,TM=`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,AM=`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,EM=`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,CM=`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	#ifdef USE_REVERSED_DEPTH_BUFFER
	
		return depth * ( far - near ) - far;
	#else
		return depth * ( near - far ) - near;
	#endif
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	
	#ifdef USE_REVERSED_DEPTH_BUFFER
		return ( near * far ) / ( ( near - far ) * depth - near );
	#else
		return ( near * far ) / ( ( far - near ) * depth - far );
	#endif
}`,RM=`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,PM=`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,IM=`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,NM=`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,LM=`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,DM=`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,UM=`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		#define SUN_LIGHT_CASCADES 2
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#else
			uniform sampler2D sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#endif
		uniform mat4 sunShadowMatrix[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		uniform vec4 sunShadowCascade[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
		struct SunLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SunLightShadow sunLightShadows[ NUM_SUN_LIGHT_SHADOWS ];
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#else
			uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#endif
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#else
			uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#endif
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform samplerCubeShadow pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#elif defined( SHADOWMAP_TYPE_BASIC )
			uniform samplerCube pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#endif
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float interleavedGradientNoise( vec2 position ) {
			return fract( 52.9829189 * fract( dot( position, vec2( 0.06711056, 0.00583715 ) ) ) );
		}
		vec2 vogelDiskSample( int sampleIndex, int samplesCount, float phi ) {
			const float goldenAngle = 2.399963229728653;
			float r = sqrt( ( float( sampleIndex ) + 0.5 ) / float( samplesCount ) );
			float theta = float( sampleIndex ) * goldenAngle + phi;
			return vec2( cos( theta ), sin( theta ) ) * r;
		}
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float getShadow( sampler2DShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
				vec2 radius = shadowRadius * texelSize;
				float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
				shadow = (
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 0, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 1, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 2, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 3, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 4, 5, phi ) * radius, shadowCoord.z ) )
				) * 0.2;
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#elif defined( SHADOWMAP_TYPE_VSM )
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 distribution = texture2D( shadowMap, shadowCoord.xy ).rg;
				float mean = distribution.x;
				float variance = distribution.y * distribution.y;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					float hard_shadow = step( mean, shadowCoord.z );
				#else
					float hard_shadow = step( shadowCoord.z, mean );
				#endif
				
				if ( hard_shadow == 1.0 ) {
					shadow = 1.0;
				} else {
					variance = max( variance, 0.0000001 );
					float d = shadowCoord.z - mean;
					float p_max = variance / ( variance + d * d );
					p_max = clamp( ( p_max - 0.3 ) / 0.65, 0.0, 1.0 );
					shadow = max( hard_shadow, p_max );
				}
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#else
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				float depth = texture2D( shadowMap, shadowCoord.xy ).r;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					shadow = step( depth, shadowCoord.z );
				#else
					shadow = step( shadowCoord.z, depth );
				#endif
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#endif
	#if NUM_SUN_LIGHT_SHADOWS > 0
		float getSunShadow(
			#if defined( SHADOWMAP_TYPE_PCF )
				sampler2DShadow shadowMap,
			#else
				sampler2D shadowMap,
			#endif
			SunLightShadow sunLightShadow,
			int shadowIndex
		) {
			vec4 shadowWorldPosition = vec4( vSunShadowWorldPosition.xyz + vSunShadowWorldNormal * sunLightShadow.shadowNormalBias, 1.0 );
			float viewDepth = vSunShadowWorldPosition.w;
			int cascadeOffset = shadowIndex * SUN_LIGHT_CASCADES;
			float shadow = 1.0;
			for ( int i = SUN_LIGHT_CASCADES - 1; i >= 0; i -- ) {
				vec4 cascade = sunShadowCascade[ cascadeOffset + i ];
				if ( viewDepth >= cascade.x && viewDepth < cascade.y ) {
					float cascadeShadow = getShadow(
						shadowMap,
						sunLightShadow.shadowMapSize,
						sunLightShadow.shadowIntensity,
						sunLightShadow.shadowBias,
						sunLightShadow.shadowRadius,
						sunShadowMatrix[ cascadeOffset + i ] * shadowWorldPosition
					);
					shadow = mix( cascadeShadow, shadow, smoothstep( cascade.z, cascade.y, viewDepth ) );
				}
			}
			return shadow;
		}
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	#if defined( SHADOWMAP_TYPE_PCF )
	float getPointShadow( samplerCubeShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 bd3D = normalize( lightToPosition );
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float lightDistance = length( lightToPosition );
			float depthRange = shadowCameraFar - shadowCameraNear;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				float depthA = - shadowCameraNear / depthRange - shadowBias;
				float depthB = shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#else
				float depthA = shadowCameraFar / depthRange + shadowBias;
				float depthB = - shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#endif
			float texelSize = shadowRadius / shadowMapSize.x;
			vec3 absDir = abs( bd3D );
			vec3 tangent = absDir.x > absDir.z ? vec3( 0.0, 1.0, 0.0 ) : vec3( 1.0, 0.0, 0.0 );
			tangent = normalize( cross( bd3D, tangent ) );
			vec3 bitangent = cross( bd3D, tangent );
			float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
			shadow = 0.0;
			for ( int i = 0; i < 5; i ++ ) {
				vec2 offset = vogelDiskSample( i, 5, phi );
				vec3 direction = bd3D + ( tangent * offset.x + bitangent * offset.y ) * texelSize;
				vec3 absDirection = abs( direction );
				float dp = depthA + depthB / max( max( absDirection.x, absDirection.y ), absDirection.z );
				shadow += texture( shadowMap, vec4( direction, dp ) );
			}
			shadow *= 0.2;
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#elif defined( SHADOWMAP_TYPE_BASIC )
	float getPointShadow( samplerCube shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float dp = ( shadowCameraFar * ( viewSpaceZ - shadowCameraNear ) ) / ( viewSpaceZ * ( shadowCameraFar - shadowCameraNear ) );
			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			float depth = textureCube( shadowMap, bd3D ).r;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				depth = 1.0 - depth;
			#endif
			shadow = step( dp, depth );
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#endif
	#endif
#endif`,FM=`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,OM=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	#ifdef HAS_NORMAL
		vec3 shadowWorldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
	#else
		vec3 shadowWorldNormal = vec3( 0.0 );
	#endif
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_SUN_LIGHT_SHADOWS > 0
		vSunShadowWorldPosition = vec4( worldPosition.xyz, - mvPosition.z );
		vSunShadowWorldNormal = shadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,kM=`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHT_SHADOWS; i ++ ) {
		sunLight = sunLightShadows[ i ];
		shadow *= receiveShadow ? getSunShadow( sunShadowMap[ i ], sunLight, UNROLLED_LOOP_INDEX ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0 && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,BM=`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,zM=`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,VM=`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,GM=`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,HM=`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,WM=`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,XM=`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,qM=`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,YM=`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseContribution, material.specularColorBlended, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,jM=`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		#else
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,$M=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,JM=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	uniform mat3 diffuseRoughnessMapTransform;
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,ZM=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	vDiffuseRoughnessMapUv = ( diffuseRoughnessMapTransform * vec3( DIFFUSE_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,KM=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`,QM=`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,tw=`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,ew=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,iw=`uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <envmap_common_pars_fragment>
void main() {
	#ifdef ENVMAP_TYPE_PMREM
		vec4 texColor = textureLod( envMap, backgroundRotation * vWorldDirection, roughnessToMip( backgroundBlurriness ) );
	#else
		vec4 texColor = textureCube( envMap, backgroundRotation * vWorldDirection );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,nw=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,sw=`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,rw=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,ow=`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	#ifdef USE_REVERSED_DEPTH_BUFFER
		float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
	#else
		float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
	#endif
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,aw=`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,lw=`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = vec4( dist, 0.0, 0.0, 1.0 );
}`,cw=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,hw=`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,uw=`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,dw=`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,fw=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,pw=`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,mw=`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,gw=`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,_w=`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,xw=`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,yw=`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,vw=`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( normalize( normal ) * 0.5 + 0.5, diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,bw=`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Sw=`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Mw=`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,ww=`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
	uniform float diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		uniform sampler2D diffuseRoughnessMap;
	#endif
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_RETROREFLECTION
	uniform float retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
 
		outgoingLight = outgoingLight + sheenSpecularDirect + sheenSpecularIndirect;
 
 	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Tw=`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Aw=`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Ew=`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,Cw=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,Rw=`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Pw=`uniform vec3 color;
uniform float opacity;
#include <common>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,Iw=`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,Nw=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,pe={alphahash_fragment:tS,alphahash_pars_fragment:eS,alphamap_fragment:iS,alphamap_pars_fragment:nS,alphatest_fragment:sS,alphatest_pars_fragment:rS,aomap_fragment:oS,aomap_pars_fragment:aS,batching_pars_vertex:lS,batching_vertex:cS,begin_vertex:hS,beginnormal_vertex:uS,bsdfs:dS,iridescence_fragment:fS,bumpmap_pars_fragment:pS,clipping_planes_fragment:mS,clipping_planes_pars_fragment:gS,clipping_planes_pars_vertex:_S,clipping_planes_vertex:xS,color_fragment:yS,color_pars_fragment:vS,color_pars_vertex:bS,color_vertex:SS,common:MS,defaultnormal_vertex:wS,displacementmap_pars_vertex:TS,displacementmap_vertex:AS,emissivemap_fragment:ES,emissivemap_pars_fragment:CS,colorspace_fragment:RS,colorspace_pars_fragment:PS,envmap_fragment:IS,envmap_common_pars_fragment:NS,envmap_pars_fragment:LS,envmap_pars_vertex:DS,envmap_physical_pars_fragment:XS,envmap_vertex:US,fog_vertex:FS,fog_pars_vertex:OS,fog_fragment:kS,fog_pars_fragment:BS,gradientmap_pars_fragment:zS,lightmap_pars_fragment:VS,lights_lambert_fragment:GS,lights_lambert_pars_fragment:HS,lights_pars_begin:WS,lights_toon_fragment:qS,lights_toon_pars_fragment:YS,lights_phong_fragment:jS,lights_phong_pars_fragment:$S,lights_physical_fragment:JS,lights_physical_pars_fragment:ZS,lights_fragment_begin:KS,lights_fragment_maps:QS,lights_fragment_end:tM,lightprobes_pars_fragment:eM,logdepthbuf_fragment:iM,logdepthbuf_pars_fragment:nM,logdepthbuf_pars_vertex:sM,logdepthbuf_vertex:rM,map_fragment:oM,map_pars_fragment:aM,map_particle_fragment:lM,map_particle_pars_fragment:cM,metalnessmap_fragment:hM,metalnessmap_pars_fragment:uM,morphinstance_vertex:dM,morphcolor_vertex:fM,morphnormal_vertex:pM,morphtarget_pars_vertex:mM,morphtarget_vertex:gM,normal_fragment_begin:_M,normal_fragment_maps:xM,normal_pars_fragment:yM,normal_pars_vertex:vM,normal_vertex:bM,normalmap_pars_fragment:SM,clearcoat_normal_fragment_begin:MM,clearcoat_normal_fragment_maps:wM,clearcoat_pars_fragment:TM,iridescence_pars_fragment:AM,opaque_fragment:EM,packing:CM,premultiplied_alpha_fragment:RM,project_vertex:PM,dithering_fragment:IM,dithering_pars_fragment:NM,roughnessmap_fragment:LM,roughnessmap_pars_fragment:DM,shadowmap_pars_fragment:UM,shadowmap_pars_vertex:FM,shadowmap_vertex:OM,shadowmask_pars_fragment:kM,skinbase_vertex:BM,skinning_pars_vertex:zM,skinning_vertex:VM,skinnormal_vertex:GM,specularmap_fragment:HM,specularmap_pars_fragment:WM,tonemapping_fragment:XM,tonemapping_pars_fragment:qM,transmission_fragment:YM,transmission_pars_fragment:jM,uv_pars_fragment:$M,uv_pars_vertex:JM,uv_vertex:ZM,worldpos_vertex:KM,background_vert:QM,background_frag:tw,backgroundCube_vert:ew,backgroundCube_frag:iw,cube_vert:nw,cube_frag:sw,depth_vert:rw,depth_frag:ow,distance_vert:aw,distance_frag:lw,equirect_vert:cw,equirect_frag:hw,linedashed_vert:uw,linedashed_frag:dw,meshbasic_vert:fw,meshbasic_frag:pw,meshlambert_vert:mw,meshlambert_frag:gw,meshmatcap_vert:_w,meshmatcap_frag:xw,meshnormal_vert:yw,meshnormal_frag:vw,meshphong_vert:bw,meshphong_frag:Sw,meshphysical_vert:Mw,meshphysical_frag:ww,meshtoon_vert:Tw,meshtoon_frag:Aw,points_vert:Ew,points_frag:Cw,shadow_vert:Rw,shadow_frag:Pw,sprite_vert:Iw,sprite_frag:Nw},Nt={common:{diffuse:{value:new qt(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new oe},alphaMap:{value:null},alphaMapTransform:{value:new oe},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new oe}},envmap:{envMap:{value:null},envMapRotation:{value:new oe},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new oe}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new oe}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new oe},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new oe},normalScale:{value:new $t(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new oe},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new oe}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new oe}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new oe}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new qt(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new qt(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new oe},alphaTest:{value:0},uvTransform:{value:new oe}},sprite:{diffuse:{value:new qt(16777215)},opacity:{value:1},center:{value:new $t(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new oe},alphaMap:{value:null},alphaMapTransform:{value:new oe},alphaTest:{value:0}}},gs={basic:{uniforms:ji([Nt.common,Nt.specularmap,Nt.envmap,Nt.aomap,Nt.lightmap,Nt.fog]),vertexShader:pe.meshbasic_vert,fragmentShader:pe.meshbasic_frag},lambert:{uniforms:ji([Nt.common,Nt.specularmap,Nt.envmap,Nt.aomap,Nt.lightmap,Nt.emissivemap,Nt.bumpmap,Nt.normalmap,Nt.displacementmap,Nt.fog,Nt.lights,{emissive:{value:new qt(0)},envMapIntensity:{value:1}}]),vertexShader:pe.meshlambert_vert,fragmentShader:pe.meshlambert_frag},phong:{uniforms:ji([Nt.common,Nt.specularmap,Nt.envmap,Nt.aomap,Nt.lightmap,Nt.emissivemap,Nt.bumpmap,Nt.normalmap,Nt.displacementmap,Nt.fog,Nt.lights,{emissive:{value:new qt(0)},specular:{value:new qt(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:pe.meshphong_vert,fragmentShader:pe.meshphong_frag},standard:{uniforms:ji([Nt.common,Nt.envmap,Nt.aomap,Nt.lightmap,Nt.emissivemap,Nt.bumpmap,Nt.normalmap,Nt.displacementmap,Nt.roughnessmap,Nt.metalnessmap,Nt.fog,Nt.lights,{emissive:{value:new qt(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:pe.meshphysical_vert,fragmentShader:pe.meshphysical_frag},toon:{uniforms:ji([Nt.common,Nt.aomap,Nt.lightmap,Nt.emissivemap,Nt.bumpmap,Nt.normalmap,Nt.displacementmap,Nt.gradientmap,Nt.fog,Nt.lights,{emissive:{value:new qt(0)}}]),vertexShader:pe.meshtoon_vert,fragmentShader:pe.meshtoon_frag},matcap:{uniforms:ji([Nt.common,Nt.bumpmap,Nt.normalmap,Nt.displacementmap,Nt.fog,{matcap:{value:null}}]),vertexShader:pe.meshmatcap_vert,fragmentShader:pe.meshmatcap_frag},points:{uniforms:ji([Nt.points,Nt.fog]),vertexShader:pe.points_vert,fragmentShader:pe.points_frag},dashed:{uniforms:ji([Nt.common,Nt.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:pe.linedashed_vert,fragmentShader:pe.linedashed_frag},depth:{uniforms:ji([Nt.common,Nt.displacementmap]),vertexShader:pe.depth_vert,fragmentShader:pe.depth_frag},normal:{uniforms:ji([Nt.common,Nt.bumpmap,Nt.normalmap,Nt.displacementmap,{opacity:{value:1}}]),vertexShader:pe.meshnormal_vert,fragmentShader:pe.meshnormal_frag},sprite:{uniforms:ji([Nt.sprite,Nt.fog]),vertexShader:pe.sprite_vert,fragmentShader:pe.sprite_frag},background:{uniforms:{uvTransform:{value:new oe},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:pe.background_vert,fragmentShader:pe.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new oe}},vertexShader:pe.backgroundCube_vert,fragmentShader:pe.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:pe.cube_vert,fragmentShader:pe.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:pe.equirect_vert,fragmentShader:pe.equirect_frag},distance:{uniforms:ji([Nt.common,Nt.displacementmap,{referencePosition:{value:new V},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:pe.distance_vert,fragmentShader:pe.distance_frag},shadow:{uniforms:ji([Nt.lights,Nt.fog,{color:{value:new qt(0)},opacity:{value:1}}]),vertexShader:pe.shadow_vert,fragmentShader:pe.shadow_frag}};gs.physical={uniforms:ji([gs.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new oe},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new oe},clearcoatNormalScale:{value:new $t(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new oe},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new oe},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new oe},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new oe},sheen:{value:0},sheenColor:{value:new qt(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new oe},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new oe},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new oe},transmissionSamplerSize:{value:new $t},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new oe},attenuationDistance:{value:0},attenuationColor:{value:new qt(0)},specularColor:{value:new qt(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new oe},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new oe},anisotropyVector:{value:new $t},anisotropyMap:{value:null},anisotropyMapTransform:{value:new oe}}]),vertexShader:pe.meshphysical_vert,fragmentShader:pe.meshphysical_frag};var tu={r:0,b:0,g:0},Lw=new Jt,T_=new oe;T_.set(-1,0,0,0,1,0,0,0,1);function Dw(s,t,e,i,n,r){let o=new qt(0),a=n===!0?0:1,l,c,h=null,u=0,d=null;function f(_){let w=_.isScene===!0?_.background:null;if(w&&w.isTexture){let v=_.backgroundBlurriness>0;w=t.get(w,v)}return w}function m(_){let w=!1,v=f(_);v===null?g(o,a):v&&v.isColor&&(g(v,1),w=!0);let A=s.xr.getEnvironmentBlendMode();A==="additive"?e.buffers.color.setClear(0,0,0,1,r):A==="alpha-blend"&&e.buffers.color.setClear(0,0,0,0,r),(s.autoClear||w)&&(e.buffers.depth.setTest(!0),e.buffers.depth.setMask(!0),e.buffers.color.setMask(!0),s.clear(s.autoClearColor,s.autoClearDepth,s.autoClearStencil))}function x(_,w){let v=f(w);v&&v.isCubeTexture?(c===void 0&&(c=new Ge(new er(1,1,1),new hs({name:"BackgroundCubeMaterial",uniforms:Wr(gs.backgroundCube.uniforms),vertexShader:gs.backgroundCube.vertexShader,fragmentShader:gs.backgroundCube.fragmentShader,side:rn,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute("normal"),c.geometry.deleteAttribute("uv"),c.onBeforeRender=function(A,S,y){this.matrixWorld.copyPosition(y.matrixWorld)},Object.defineProperty(c.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),i.update(c)),c.material.uniforms.envMap.value=v,c.material.uniforms.backgroundBlurriness.value=w.backgroundBlurriness,c.material.uniforms.backgroundIntensity.value=w.backgroundIntensity,c.material.uniforms.backgroundRotation.value.setFromMatrix4(Lw.makeRotationFromEuler(w.backgroundRotation)).transpose(),v.isRenderTargetTexture===!1&&c.material.uniforms.backgroundRotation.value.premultiply(T_),c.material.toneMapped=ue.getTransfer(v.colorSpace)!==Re,(h!==v||u!==v.version||d!==s.toneMapping)&&(c.material.needsUpdate=!0,h=v,u=v.version,d=s.toneMapping),c.layers.enableAll(),_.unshift(c,c.geometry,c.material,0,0,null)):v&&v.isTexture&&(l===void 0&&(l=new Ge(new Ka(2,2),new hs({name:"BackgroundMaterial",uniforms:Wr(gs.background.uniforms),vertexShader:gs.background.vertexShader,fragmentShader:gs.background.fragmentShader,side:fs,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute("normal"),Object.defineProperty(l.material,"map",{get:function(){return this.uniforms.t2D.value}}),i.update(l)),l.material.uniforms.t2D.value=v,l.material.uniforms.backgroundIntensity.value=w.backgroundIntensity,l.material.toneMapped=ue.getTransfer(v.colorSpace)!==Re,v.matrixAutoUpdate===!0&&v.updateMatrix(),l.material.uniforms.uvTransform.value.copy(v.matrix),(h!==v||u!==v.version||d!==s.toneMapping)&&(l.material.needsUpdate=!0,h=v,u=v.version,d=s.toneMapping),l.layers.enableAll(),_.unshift(l,l.geometry,l.material,0,0,null))}function g(_,w){_.getRGB(tu,Bf(s)),e.buffers.color.setClear(tu.r,tu.g,tu.b,w,r)}function p(){c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0),l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0)}return{getClearColor:function(){return o},setClearColor:function(_,w=1){o.set(_),a=w,g(o,a)},getClearAlpha:function(){return a},setClearAlpha:function(_){a=_,g(o,a)},render:m,addToRenderList:x,dispose:p}}function Uw(s,t){let e=s.getParameter(s.MAX_VERTEX_ATTRIBS),i={},n=d(null),r=n,o=!1;function a(R,U,O,L,H){let k=!1,G=u(R,L,O,U);r!==G&&(r=G,c(r.object)),k=f(R,L,O,H),k&&m(R,L,O,H),H!==null&&t.update(H,s.ELEMENT_ARRAY_BUFFER),(k||o)&&(o=!1,v(R,U,O,L),H!==null&&s.bindBuffer(s.ELEMENT_ARRAY_BUFFER,t.get(H).buffer))}function l(){return s.createVertexArray()}function c(R){return s.bindVertexArray(R)}function h(R){return s.deleteVertexArray(R)}function u(R,U,O,L){let H=L.wireframe===!0,k=i[U.id];k===void 0&&(k={},i[U.id]=k);let G=R.isInstancedMesh===!0?R.id:0,it=k[G];it===void 0&&(it={},k[G]=it);let Y=it[O.id];Y===void 0&&(Y={},it[O.id]=Y);let J=Y[H];return J===void 0&&(J=d(l()),Y[H]=J),J}function d(R){let U=[],O=[],L=[];for(let H=0;H<e;H++)U[H]=0,O[H]=0,L[H]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:U,enabledAttributes:O,attributeDivisors:L,object:R,attributes:{},index:null}}function f(R,U,O,L){let H=r.attributes,k=U.attributes,G=0,it=O.getAttributes();for(let Y in it)if(it[Y].location>=0){let Q=H[Y],ct=k[Y];if(ct===void 0&&(Y==="instanceMatrix"&&R.instanceMatrix&&(ct=R.instanceMatrix),Y==="instanceColor"&&R.instanceColor&&(ct=R.instanceColor)),Q===void 0||Q.attribute!==ct||ct&&Q.data!==ct.data)return!0;G++}return r.attributesNum!==G||r.index!==L}function m(R,U,O,L){let H={},k=U.attributes,G=0,it=O.getAttributes();for(let Y in it)if(it[Y].location>=0){let Q=k[Y];Q===void 0&&(Y==="instanceMatrix"&&R.instanceMatrix&&(Q=R.instanceMatrix),Y==="instanceColor"&&R.instanceColor&&(Q=R.instanceColor));let ct={};ct.attribute=Q,Q&&Q.data&&(ct.data=Q.data),H[Y]=ct,G++}r.attributes=H,r.attributesNum=G,r.index=L}function x(){let R=r.newAttributes;for(let U=0,O=R.length;U<O;U++)R[U]=0}function g(R){p(R,0)}function p(R,U){let O=r.newAttributes,L=r.enabledAttributes,H=r.attributeDivisors;O[R]=1,L[R]===0&&(s.enableVertexAttribArray(R),L[R]=1),H[R]!==U&&(s.vertexAttribDivisor(R,U),H[R]=U)}function _(){let R=r.newAttributes,U=r.enabledAttributes;for(let O=0,L=U.length;O<L;O++)U[O]!==R[O]&&(s.disableVertexAttribArray(O),U[O]=0)}function w(R,U,O,L,H,k,G){G===!0?s.vertexAttribIPointer(R,U,O,H,k):s.vertexAttribPointer(R,U,O,L,H,k)}function v(R,U,O,L){x();let H=L.attributes,k=O.getAttributes(),G=U.defaultAttributeValues;for(let it in k){let Y=k[it];if(Y.location>=0){let J=H[it];if(J===void 0&&(it==="instanceMatrix"&&R.instanceMatrix&&(J=R.instanceMatrix),it==="instanceColor"&&R.instanceColor&&(J=R.instanceColor)),J!==void 0){let Q=J.normalized,ct=J.itemSize,nt=t.get(J);if(nt===void 0)continue;let q=nt.buffer,st=nt.type,et=nt.bytesPerElement,at=st===s.INT||st===s.UNSIGNED_INT||J.gpuType===_h;if(J.isInterleavedBufferAttribute){let gt=J.data,Ut=gt.isInterleavedBuffer===!0?gt.stride:gt.itemSize,Kt=J.offset;if(gt.isInstancedInterleavedBuffer||gt.isInstancedBufferAttribute){for(let kt=0;kt<Y.locationSize;kt++)p(Y.location+kt,gt.meshPerAttribute);R.isInstancedMesh!==!0&&L._maxInstanceCount===void 0&&(L._maxInstanceCount=gt.meshPerAttribute*gt.count)}else for(let kt=0;kt<Y.locationSize;kt++)g(Y.location+kt);s.bindBuffer(s.ARRAY_BUFFER,q);for(let kt=0;kt<Y.locationSize;kt++)w(Y.location+kt,ct/Y.locationSize,st,Q,Ut*et,(Kt+ct/Y.locationSize*kt)*et,at)}else{if(J.isInstancedBufferAttribute){for(let gt=0;gt<Y.locationSize;gt++)p(Y.location+gt,J.meshPerAttribute);R.isInstancedMesh!==!0&&L._maxInstanceCount===void 0&&(L._maxInstanceCount=J.meshPerAttribute*J.count)}else for(let gt=0;gt<Y.locationSize;gt++)g(Y.location+gt);s.bindBuffer(s.ARRAY_BUFFER,q);for(let gt=0;gt<Y.locationSize;gt++)w(Y.location+gt,ct/Y.locationSize,st,Q,ct*et,ct/Y.locationSize*gt*et,at)}}else if(G!==void 0){let Q=G[it];if(Q!==void 0)switch(Q.length){case 2:s.vertexAttrib2fv(Y.location,Q);break;case 3:s.vertexAttrib3fv(Y.location,Q);break;case 4:s.vertexAttrib4fv(Y.location,Q);break;default:s.vertexAttrib1fv(Y.location,Q)}}}}_()}function A(){I();for(let R in i){let U=i[R];for(let O in U){let L=U[O];for(let H in L){let k=L[H];for(let G in k)h(k[G].object),delete k[G];delete L[H]}}delete i[R]}}function S(R){if(i[R.id]===void 0)return;let U=i[R.id];for(let O in U){let L=U[O];for(let H in L){let k=L[H];for(let G in k)h(k[G].object),delete k[G];delete L[H]}}delete i[R.id]}function y(R){for(let U in i){let O=i[U];for(let L in O){let H=O[L];if(H[R.id]===void 0)continue;let k=H[R.id];for(let G in k)h(k[G].object),delete k[G];delete H[R.id]}}}function M(R){for(let U in i){let O=i[U],L=R.isInstancedMesh===!0?R.id:0,H=O[L];if(H!==void 0){for(let k in H){let G=H[k];for(let it in G)h(G[it].object),delete G[it];delete H[k]}delete O[L],Object.keys(O).length===0&&delete i[U]}}}function I(){P(),o=!0,r!==n&&(r=n,c(r.object))}function P(){n.geometry=null,n.program=null,n.wireframe=!1}return{setup:a,reset:I,resetDefaultState:P,dispose:A,releaseStatesOfGeometry:S,releaseStatesOfObject:M,releaseStatesOfProgram:y,initAttributes:x,enableAttribute:g,disableUnusedAttributes:_}}function Fw(s,t,e){let i;function n(l){i=l}function r(l,c){s.drawArrays(i,l,c),e.update(c,i,1)}function o(l,c,h){h!==0&&(s.drawArraysInstanced(i,l,c,h),e.update(c,i,h))}function a(l,c,h){if(h===0)return;t.get("WEBGL_multi_draw").multiDrawArraysWEBGL(i,l,0,c,0,h);let d=0;for(let f=0;f<h;f++)d+=c[f];e.update(d,i,1)}this.setMode=n,this.render=r,this.renderInstances=o,this.renderMultiDraw=a}function Ow(s,t,e,i){let n;function r(){if(n!==void 0)return n;if(t.has("EXT_texture_filter_anisotropic")===!0){let y=t.get("EXT_texture_filter_anisotropic");n=s.getParameter(y.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else n=0;return n}function o(y){return!(y!==Un&&i.convert(y)!==s.getParameter(s.IMPLEMENTATION_COLOR_READ_FORMAT))}function a(y){let M=y===Zn&&(t.has("EXT_color_buffer_half_float")||t.has("EXT_color_buffer_float"));return!(y!==ln&&y!==Dn&&!M&&i.convert(y)!==s.getParameter(s.IMPLEMENTATION_COLOR_READ_TYPE))}function l(y){if(y==="highp"){if(s.getShaderPrecisionFormat(s.VERTEX_SHADER,s.HIGH_FLOAT).precision>0&&s.getShaderPrecisionFormat(s.FRAGMENT_SHADER,s.HIGH_FLOAT).precision>0)return"highp";y="mediump"}return y==="mediump"&&s.getShaderPrecisionFormat(s.VERTEX_SHADER,s.MEDIUM_FLOAT).precision>0&&s.getShaderPrecisionFormat(s.FRAGMENT_SHADER,s.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let c=e.precision!==void 0?e.precision:"highp",h=l(c);h!==c&&(jt("WebGLRenderer:",c,"not supported, using",h,"instead."),c=h);let u=e.reversedDepthBuffer===!0&&t.has("EXT_clip_control"),d=e.logarithmicDepthBuffer===!0&&u===!1;e.reversedDepthBuffer===!0&&u===!1&&jt("WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer."),e.logarithmicDepthBuffer===!0&&u===!0&&jt("WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.");let f=s.getParameter(s.MAX_TEXTURE_IMAGE_UNITS),m=s.getParameter(s.MAX_VERTEX_TEXTURE_IMAGE_UNITS),x=s.getParameter(s.MAX_TEXTURE_SIZE),g=s.getParameter(s.MAX_CUBE_MAP_TEXTURE_SIZE),p=s.getParameter(s.MAX_VERTEX_ATTRIBS),_=s.getParameter(s.MAX_VERTEX_UNIFORM_VECTORS),w=s.getParameter(s.MAX_VARYING_VECTORS),v=s.getParameter(s.MAX_FRAGMENT_UNIFORM_VECTORS),A=s.getParameter(s.MAX_SAMPLES),S=s.getParameter(s.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:l,textureFormatReadable:o,textureTypeReadable:a,precision:c,logarithmicDepthBuffer:d,reversedDepthBuffer:u,maxTextures:f,maxVertexTextures:m,maxTextureSize:x,maxCubemapSize:g,maxAttributes:p,maxVertexUniforms:_,maxVaryings:w,maxFragmentUniforms:v,maxSamples:A,samples:S}}function kw(s){let t=this,e=null,i=0,n=!1,r=!1,o=new Sn,a=new oe,l={value:null,needsUpdate:!1};this.uniform=l,this.numPlanes=0,this.numIntersection=0,this.init=function(u,d){let f=u.length!==0||d||i!==0||n;return n=d,i=u.length,f},this.beginShadows=function(){r=!0,h(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(u,d){e=h(u,d,0)},this.setState=function(u,d,f){let m=u.clippingPlanes,x=u.clipIntersection,g=u.clipShadows,p=s.get(u);if(!n||m===null||m.length===0||r&&!g)r?h(null):c();else{let _=r?0:i,w=_*4,v=p.clippingState||null;l.value=v,v=h(m,d,w,f);for(let A=0;A!==w;++A)v[A]=e[A];p.clippingState=v,this.numIntersection=x?this.numPlanes:0,this.numPlanes+=_}};function c(){l.value!==e&&(l.value=e,l.needsUpdate=i>0),t.numPlanes=i,t.numIntersection=0}function h(u,d,f,m){let x=u!==null?u.length:0,g=null;if(x!==0){if(g=l.value,m!==!0||g===null){let p=f+x*4,_=d.matrixWorldInverse;a.getNormalMatrix(_),(g===null||g.length<p)&&(g=new Float32Array(p));for(let w=0,v=f;w!==x;++w,v+=4)o.copy(u[w]).applyMatrix4(_,a),o.normal.toArray(g,v),g[v+3]=o.constant}l.value=g,l.needsUpdate=!0}return t.numPlanes=x,t.numIntersection=0,g}}var vl=class extends Mn{constructor(t=1,e={}){super(t,t,e),this.isWebGLCubeRenderTarget=!0;let i={width:t,height:t,depth:1},n=[i,i,i,i,i,i];this.texture=new Xa(n),this._setTextureOptions(e),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(t,e){this.texture.type=e.type,this.texture.colorSpace=e.colorSpace,this.texture.generateMipmaps=e.generateMipmaps,this.texture.minFilter=e.minFilter,this.texture.magFilter=e.magFilter;let i={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},n=new er(5,5,5),r=new hs({name:"CubemapFromEquirect",uniforms:Wr(i.uniforms),vertexShader:i.vertexShader,fragmentShader:i.fragmentShader,side:rn,blending:zr});r.uniforms.tEquirect.value=e;let o=new Ge(n,r),a=e.minFilter;return e.minFilter===Ln&&(e.minFilter=Di),new qo(1,10,this).update(t,o),e.minFilter=a,o.geometry.dispose(),o.material.dispose(),this}clear(t,e=!0,i=!0,n=!0){let r=t.getRenderTarget();for(let o=0;o<6;o++)t.setRenderTarget(this,o),t.clear(e,i,n);t.setRenderTarget(r)}},n_=256,Bw=3,zw=20,A_=256,E_=16,Vw=3,Gw=new V,Hw=new qt,iu=class s{constructor(t){this._renderer=t,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new qo(1,10,null),this._boxMesh=new Ge(new er(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(t,e=0,i=.1,n=100,r={}){let{size:o=256,position:a=Gw}=r,l=this._renderer;this._setSize(o);let c=this._allocateTarget(),h=this._getSourceTarget(!0);e>0&&(h.texture.mipmapsAutoUpdate=!1);let u=l.autoClear,d=l.autoClearColor,f=l.autoClearDepth,m=l.autoClearStencil,x=t.background;l.autoClear=!0,l.autoClearColor=!0,l.autoClearDepth=!0,l.autoClearStencil=!0,x===null&&(t.background=l.getClearColor(Hw));let g=new qo(i,n,h);return g.position.copy(a),g.update(l,t),l.autoClear=u,l.autoClearColor=d,l.autoClearDepth=f,l.autoClearStencil=m,t.background=x,e>0&&(h.texture.mipmapsAutoUpdate=!0,this._blur(c,e)),this._applyPMREM(c),c}fromEquirectangular(t,e=null){return this._fromTexture(t,e)}fromCubemap(t,e=null){return this._fromTexture(t,e)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=o_(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=r_(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(t,e){return e>0?1-Math.sqrt(1-t/e):0}_setSize(t){this._cubeSize=Math.max(n_,Of(t))}_fromTexture(t,e){t.mapping===Gr||t.mapping===Zo?this._setSize(t.image.length===0?n_:t.image[0].width||t.image[0].image.width):this._setSize(t.image.width/4);let i=e||this._allocateTarget();return this._textureToCubemap(t),this._applyPMREM(i),i}_allocateTarget(){let t=this._cubeSize,e=s_(t,!1,!1),i=Math.log2(t)-Bw;for(let n=0;n<=i;n++)e.texture.mipmaps.push({width:t>>n,height:t>>n});return e.texture.name="PMREM",e.texture.isPMREMTexture=!0,e}_getSourceTarget(t=!1){let e=this._cubeSize,i=this._sourceTarget;return(i===null||i.width!==e||t&&i.depthBuffer===!1)&&(i!==null&&i.dispose(),this._sourceTarget=s_(e,!0,t)),this._sourceTarget}_compileMaterial(t){this._boxMesh.material=t,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(t,e,i){let n=this._boxMesh,r=this._cubeCamera;n.material=i,r.renderTarget=t,r.activeMipmapLevel=e;let o=t.width>>e;t.viewport.set(0,0,o,o),r.update(this._renderer,n),t.viewport.set(0,0,t.width,t.height)}_textureToCubemap(t){let e;t.mapping===Gr||t.mapping===Zo?(this._cubemapMaterial===null&&(this._cubemapMaterial=o_()),e=this._cubemapMaterial,e.uniforms.flipEnvMap.value=t.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=r_()),e=this._equirectMaterial),e.uniforms.envMap.value=t,this._renderCube(this._getSourceTarget(),0,e)}_applyPMREM(t){this._ggxMaterial===null&&(this._ggxMaterial=Ww(),this._integrationMaterial=Xw());let e=this._cubeSize,i=t.texture.mipmaps.length-1,n=this._ggxMaterial.uniforms;n.envMap.value=this._sourceTarget.texture;let r=this._integrationMaterial.uniforms;r.envMap.value=this._sourceTarget.texture,r.sourceLod.value=Math.log2(e/E_);for(let o=0;o<=i;o++){let a=s.lodToRoughness(o,i);if(o>i-Vw)r.roughness.value=a,this._renderCube(t,o,this._integrationMaterial);else{let l=a>0?Math.log2(e)+.5*Math.log2(6/(A_*Math.pow(a,4)))+.5:0;n.roughness.value=a,n.lodBias.value=l,this._renderCube(t,o,this._ggxMaterial)}}}_blur(t,e){this._blurMaterial===null&&(this._blurMaterial=qw());let i=this._blurMaterial,n=i.uniforms,r=this._sourceTarget;n.sigma.value=Math.min(e,Math.PI)/Math.SQRT2,n.envMap.value=r.texture,this._renderCube(t,0,i),n.envMap.value=t.texture,this._renderCube(r,0,i)}};function s_(s,t,e){return new vl(s,{minFilter:Ln,generateMipmaps:t,type:Zn,colorSpace:Oa,depthBuffer:e})}function bl(s,t,e){return new hs({name:s,uniforms:t,vertexShader:pe.cube_vert,fragmentShader:e,side:rn,blending:zr,depthTest:!1,depthWrite:!1})}function Ww(){return bl("PMREMGGXConvolution",{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`

		#define GGX_SAMPLES ${A_}u

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float lodBias;

		#include <common>

		// Van der Corput radical inverse
		float radicalInverse_VdC( uint bits ) {

			bits = ( bits << 16u ) | ( bits >> 16u );
			bits = ( ( bits & 0x55555555u ) << 1u ) | ( ( bits & 0xAAAAAAAAu ) >> 1u );
			bits = ( ( bits & 0x33333333u ) << 2u ) | ( ( bits & 0xCCCCCCCCu ) >> 2u );
			bits = ( ( bits & 0x0F0F0F0Fu ) << 4u ) | ( ( bits & 0xF0F0F0F0u ) >> 4u );
			bits = ( ( bits & 0x00FF00FFu ) << 8u ) | ( ( bits & 0xFF00FF00u ) >> 8u );
			return float( bits ) * 2.3283064365386963e-10; // / 0x100000000

		}

		// Hammersley sequence
		vec2 hammersley( uint i, uint N ) {

			return vec2( float( i ) / float( N ), radicalInverse_VdC( i ) );

		}

		void main() {

			vec3 N = normalize( vWorldDirection );

			// For very low roughness, just sample the environment directly
			if ( roughness < 0.001 ) {

				gl_FragColor = vec4( textureLod( envMap, N, 0.0 ).rgb, 1.0 );
				return;

			}

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			// Tangent space basis for VNDF sampling
			vec3 up = abs( N.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, N ) );
			vec3 bitangent = cross( N, tangent );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			for ( uint i = 0u; i < GGX_SAMPLES; i ++ ) {

				vec2 Xi = hammersley( i, GGX_SAMPLES );

				// With V = N, sample the reflected direction directly.
				float invQ = 1.0 / ( 1.0 - Xi.x + alpha2 * Xi.x );
				float NdotL = ( 1.0 - Xi.x - alpha2 * Xi.x ) * invQ;

				if ( NdotL > 0.0 ) {

					float phi = 2.0 * PI * Xi.y;
					float sinTheta = 2.0 * alpha * sqrt( Xi.x * ( 1.0 - Xi.x ) ) * invQ;
					vec3 L = N * NdotL + ( tangent * cos( phi ) + bitangent * sin( phi ) ) * sinTheta;

					// Match the source mip to the sample's solid angle. The terms
					// independent of the sample are precomputed in lodBias.
					float d = alpha2 * invQ;
					float lod = max( log2( d ) + lodBias, 0.0 );

					// Weight by NdotL for the split-sum approximation
					prefilteredColor += textureLod( envMap, L, lod ).rgb * NdotL;
					totalWeight += NdotL;

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function Xw(){return bl("PMREMGGXIntegration",{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:E_}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float sourceLod;
		uniform int sourceSize;

		void main() {

			vec3 N = normalize( vWorldDirection );

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			float texelSize = 2.0 / float( sourceSize );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			// Pair opposite texels: only the one in N's hemisphere contributes.
			for ( int face = 0; face < 3; face ++ ) {

				for ( int y = 0; y < sourceSize; y ++ ) {

					for ( int x = 0; x < sourceSize; x ++ ) {

						vec2 uv = ( vec2( x, y ) + 0.5 ) * texelSize - 1.0;
						vec3 texelDirection = face == 0 ? vec3( 1.0, uv ) : ( face == 1 ? vec3( uv.x, 1.0, uv.y ) : vec3( uv, 1.0 ) );

						float invDistance = inversesqrt( 1.0 + dot( uv, uv ) );
						float NdotL = dot( N, texelDirection );
						texelDirection *= NdotL < 0.0 ? - 1.0 : 1.0;
						NdotL = abs( NdotL ) * invDistance;

						// With V = N, NdotH squared is ( 1 + NdotL ) / 2. Common factors
						// in the GGX distribution and texel solid angle cancel when normalized.
						float d = 1.0 + alpha2 + ( alpha2 - 1.0 ) * NdotL;
						float weight = NdotL * invDistance * invDistance * invDistance / ( d * d );

						prefilteredColor += textureLod( envMap, texelDirection, sourceLod ).rgb * weight;
						totalWeight += weight;

					}

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function qw(){return bl("PMREMSphericalGaussianBlur",{envMap:{value:null},sigma:{value:0}},`

		#define SAMPLES ${zw}
		#define GOLDEN_ANGLE 2.39996322973

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float sigma;

		#include <common>

		void main() {

			vec3 outputDirection = normalize( vWorldDirection );

			vec3 up = abs( outputDirection.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, outputDirection ) );
			vec3 bitangent = cross( outputDirection, tangent );

			// Truncate the kernel at three standard deviations or at the antipode.
			float thetaMax = min( 3.0 * sigma, PI );
			float truncation = 1.0 - exp( - 0.5 * thetaMax * thetaMax / ( sigma * sigma ) );

			vec3 accumColor = vec3( 0.0 );
			float accumWeight = 0.0;

			for ( int i = 0; i < SAMPLES; i ++ ) {

				// Stratified inverse-CDF sampling of the Gaussian, placed on a golden-angle spiral.
				float stratum = ( float( i ) + 0.5 ) / float( SAMPLES );
				float theta = sigma * sqrt( - 2.0 * log( 1.0 - stratum * truncation ) );
				float phi = float( i ) * GOLDEN_ANGLE;

				vec3 offset = cos( phi ) * tangent + sin( phi ) * bitangent;
				vec3 sampleDirection = cos( theta ) * outputDirection + sin( theta ) * offset;

				// Correct the planar sample density to solid angle.
				float weight = sin( theta ) / theta;

				accumColor += weight * textureLod( envMap, sampleDirection, 0.0 ).rgb;
				accumWeight += weight;

			}

			gl_FragColor = vec4( accumColor / accumWeight, 1.0 );

		}
	`)}function r_(){return bl("PMREMEquirectangularToCubemap",{envMap:{value:null}},`

		varying vec3 vWorldDirection;

		uniform sampler2D envMap;

		#include <common>

		void main() {

			// Average four subpixel samples to preserve small, bright features.
			vec3 direction = normalize( vWorldDirection );
			vec3 dx = dFdx( direction ) * 0.25;
			vec3 dy = dFdy( direction ) * 0.25;

			vec3 color = textureLod( envMap, equirectUv( normalize( direction - dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction - dx + dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx + dy ) ), 0.0 ).rgb;
			gl_FragColor = vec4( color * 0.25, 1.0 );

		}
	`)}function o_(){return bl("PMREMCubemapToCubemap",{envMap:{value:null},flipEnvMap:{value:-1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float flipEnvMap;

		void main() {

			gl_FragColor = vec4( textureCube( envMap, vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) ).rgb, 1.0 );

		}
	`)}function Yw(s){let t=new WeakMap,e=new WeakMap,i=null;function n(d,f=!1){return d==null?null:f?o(d):r(d)}function r(d){if(d&&d.isTexture){let f=d.mapping;if(f===ph||f===mh)if(t.has(d)){let m=t.get(d).texture;return a(m,d.mapping)}else{let m=d.image;if(m&&m.height>0){let x=new vl(m.height);return x.fromEquirectangularTexture(s,d),t.set(d,x),d.addEventListener("dispose",c),a(x.texture,d.mapping)}else return null}}return d}function o(d){if(d&&d.isTexture&&d.isPMREMTexture!==!0){let f=d.mapping,m=f===ph||f===mh,x=f===Gr||f===Zo;if(m||x){let g=e.get(d),p=g!==void 0?g.texture.pmremVersion:0;if(d.isRenderTargetTexture&&d.pmremVersion!==p)return i===null&&(i=new iu(s)),g=m?i.fromEquirectangular(d,g):i.fromCubemap(d,g),g.texture.pmremVersion=d.pmremVersion,e.set(d,g),g.texture;if(g!==void 0)return g.texture;{let _=d.image;return m&&_&&_.height>0||x&&_&&l(_)?(i===null&&(i=new iu(s)),g=m?i.fromEquirectangular(d):i.fromCubemap(d),g.texture.pmremVersion=d.pmremVersion,e.set(d,g),d.addEventListener("dispose",h),g.texture):null}}}return d}function a(d,f){return f===ph?d.mapping=Gr:f===mh&&(d.mapping=Zo),d}function l(d){let f=0,m=6;for(let x=0;x<m;x++)d[x]!==void 0&&f++;return f===m}function c(d){let f=d.target;f.removeEventListener("dispose",c);let m=t.get(f);m!==void 0&&(t.delete(f),m.dispose())}function h(d){let f=d.target;f.removeEventListener("dispose",h);let m=e.get(f);m!==void 0&&(e.delete(f),m.dispose())}function u(){t=new WeakMap,e=new WeakMap,i!==null&&(i.dispose(),i=null)}return{get:n,dispose:u}}function jw(s){let t={};function e(i){if(t[i]!==void 0)return t[i];let n=s.getExtension(i);return t[i]=n,n}return{has:function(i){return e(i)!==null},init:function(){e("EXT_color_buffer_float"),e("WEBGL_clip_cull_distance"),e("OES_texture_float_linear"),e("EXT_color_buffer_half_float"),e("WEBGL_multisampled_render_to_texture"),e("WEBGL_render_shared_exponent")},get:function(i){let n=e(i);return n===null&&La("WebGLRenderer: "+i+" extension not supported."),n}}}function $w(s,t,e,i){let n={},r=new WeakMap,o=new FinalizationRegistry(m=>delete n[m]);function a(m){l(m.target)}function l(m){m.index!==null&&t.remove(m.index);for(let g in m.attributes)t.remove(m.attributes[g]);m.removeEventListener("dispose",a),delete n[m.id],o.unregister(m);let x=r.get(m);x&&(t.remove(x),r.delete(m)),i.releaseStatesOfGeometry(m),m.isInstancedBufferGeometry===!0&&delete m._maxInstanceCount,e.memory.geometries--}function c(m,x){return n[x.id]!==void 0||(x.addEventListener("dispose",a),n[x.id]=new WeakRef(x),o.register(x,x.id,x),e.memory.geometries++),x}function h(m){let x=m.attributes;for(let g in x)t.update(x[g],s.ARRAY_BUFFER)}function u(m){let x=m.index,g=m.attributes.position,p=0;if(g===void 0)return;let _=x!==null?x.array.length:g.array.length/3-1,w=g.count>=65535?Ga:Va,v=new w(Math.ceil(_/3)*6,1),A=v.array;if(x!==null){let y=x.array;p=x.version;for(let M=0,I=0;M<_;M+=3){let P=y[M+0],R=y[M+1],U=y[M+2];A[I++]=P,A[I++]=R,A[I++]=R,A[I++]=U,A[I++]=U,A[I++]=P}}else{p=g.version;for(let y=0,M=0;y<_;y+=3){let I=y+0,P=y+1,R=y+2;A[M++]=I,A[M++]=P,A[M++]=P,A[M++]=R,A[M++]=R,A[M++]=I}}v.version=p;let S=r.get(m);S&&t.remove(S),r.set(m,v)}function d(m){let x=r.get(m);if(x){let g=m.index;g!==null&&x.version<g.version&&u(m)}else u(m);return r.get(m)}function f(){for(let m in n){let x=n[m].deref();x!==void 0&&l(x)}}return{get:c,update:h,getWireframeAttribute:d,dispose:f}}function Jw(s,t,e){let i;function n(u){i=u}let r,o;function a(u){r=u.type,o=u.bytesPerElement}function l(u,d){s.drawElements(i,d,r,u*o),e.update(d,i,1)}function c(u,d,f){f!==0&&(s.drawElementsInstanced(i,d,r,u*o,f),e.update(d,i,f))}function h(u,d,f){if(f===0)return;t.get("WEBGL_multi_draw").multiDrawElementsWEBGL(i,d,0,r,u,0,f);let x=0;for(let g=0;g<f;g++)x+=d[g];e.update(x,i,1)}this.setMode=n,this.setIndex=a,this.render=l,this.renderInstances=c,this.renderMultiDraw=h}function Zw(s){let t={geometries:0,textures:0},e={frame:0,calls:0,triangles:0,points:0,lines:0};function i(r,o,a){switch(e.calls++,o){case s.TRIANGLES:e.triangles+=a*(r/3);break;case s.LINES:e.lines+=a*(r/2);break;case s.LINE_STRIP:e.lines+=a*(r-1);break;case s.LINE_LOOP:e.lines+=a*r;break;case s.POINTS:e.points+=a*r;break;default:ne("WebGLInfo: Unknown draw mode:",o);break}}function n(){e.calls=0,e.triangles=0,e.points=0,e.lines=0}return{memory:t,render:e,programs:null,autoReset:!0,reset:n,update:i}}function Kw(s,t,e){let i=new WeakMap,n=new Ue;function r(o,a,l){let c=o.morphTargetInfluences,h=a.morphAttributes.position||a.morphAttributes.normal||a.morphAttributes.color,u=h!==void 0?h.length:0,d=i.get(a);if(d===void 0||d.count!==u){let I=function(){y.dispose(),i.delete(a),a.removeEventListener("dispose",I)};d!==void 0&&d.texture.dispose();let f=a.morphAttributes.position!==void 0,m=a.morphAttributes.normal!==void 0,x=a.morphAttributes.color!==void 0,g=a.morphAttributes.position||[],p=a.morphAttributes.normal||[],_=a.morphAttributes.color||[],w=0;f===!0&&(w=1),m===!0&&(w=2),x===!0&&(w=3);let v=a.attributes.position.count*w,A=1;v>t.maxTextureSize&&(A=Math.ceil(v/t.maxTextureSize),v=t.maxTextureSize);let S=new Float32Array(v*A*4*u),y=new Ba(S,v,A,u);y.type=Dn,y.needsUpdate=!0;let M=w*4;for(let P=0;P<u;P++){let R=g[P],U=p[P],O=_[P],L=v*A*4*P;for(let H=0;H<R.count;H++){let k=H*M;f===!0&&(n.fromBufferAttribute(R,H),S[L+k+0]=n.x,S[L+k+1]=n.y,S[L+k+2]=n.z,S[L+k+3]=0),m===!0&&(n.fromBufferAttribute(U,H),S[L+k+4]=n.x,S[L+k+5]=n.y,S[L+k+6]=n.z,S[L+k+7]=0),x===!0&&(n.fromBufferAttribute(O,H),S[L+k+8]=n.x,S[L+k+9]=n.y,S[L+k+10]=n.z,S[L+k+11]=O.itemSize===4?n.w:1)}}d={count:u,texture:y,size:new $t(v,A)},i.set(a,d),a.addEventListener("dispose",I)}if(o.isInstancedMesh===!0&&o.morphTexture!==null)l.getUniforms().setValue(s,"morphTexture",o.morphTexture,e);else{let f=0;for(let x=0;x<c.length;x++)f+=c[x];let m=a.morphTargetsRelative?1:1-f;l.getUniforms().setValue(s,"morphTargetBaseInfluence",m),l.getUniforms().setValue(s,"morphTargetInfluences",c)}l.getUniforms().setValue(s,"morphTargetsTexture",d.texture,e),l.getUniforms().setValue(s,"morphTargetsTextureSize",d.size)}return{update:r}}function Qw(s,t,e,i,n){let r=new WeakMap;function o(c){let h=n.render.frame,u=c.geometry,d=t.get(c,u);if(r.get(d)!==h&&(t.update(d),r.set(d,h)),c.isInstancedMesh&&(c.hasEventListener("dispose",l)===!1&&c.addEventListener("dispose",l),r.get(c)!==h&&(e.update(c.instanceMatrix,s.ARRAY_BUFFER),c.instanceColor!==null&&e.update(c.instanceColor,s.ARRAY_BUFFER),r.set(c,h))),c.isSkinnedMesh){let f=c.skeleton;r.get(f)!==h&&(f.update(),r.set(f,h))}return d}function a(){r=new WeakMap}function l(c){let h=c.target;h.removeEventListener("dispose",l),i.releaseStatesOfObject(h),e.remove(h.instanceMatrix),h.instanceColor!==null&&e.remove(h.instanceColor)}return{update:o,dispose:a}}var tT={[gf]:"LINEAR_TONE_MAPPING",[_f]:"REINHARD_TONE_MAPPING",[xf]:"CINEON_TONE_MAPPING",[yf]:"ACES_FILMIC_TONE_MAPPING",[bf]:"AGX_TONE_MAPPING",[Sf]:"NEUTRAL_TONE_MAPPING",[vf]:"CUSTOM_TONE_MAPPING"};function eT(s,t,e,i,n,r){let o=new Mn(t,e,{type:s,depthBuffer:n,stencilBuffer:r,samples:i?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),a=null,l=null,c=null,h=new ke;h.setAttribute("position",new re([-1,3,0,-1,-1,0,3,-1,0],3)),h.setAttribute("uv",new re([0,2,0,0,2,0],2));let u=new sh({uniforms:{tDiffuse:{value:null}},vertexShader:`
			precision highp float;

			uniform mat4 modelViewMatrix;
			uniform mat4 projectionMatrix;

			attribute vec3 position;
			attribute vec2 uv;

			varying vec2 vUv;

			void main() {
				vUv = uv;
				gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
			}`,fragmentShader:`
			precision highp float;

			uniform sampler2D tDiffuse;

			varying vec2 vUv;

			#include <tonemapping_pars_fragment>
			#include <colorspace_pars_fragment>

			void main() {
				gl_FragColor = texture2D( tDiffuse, vUv );

				#ifdef LINEAR_TONE_MAPPING
					gl_FragColor.rgb = LinearToneMapping( gl_FragColor.rgb );
				#elif defined( REINHARD_TONE_MAPPING )
					gl_FragColor.rgb = ReinhardToneMapping( gl_FragColor.rgb );
				#elif defined( CINEON_TONE_MAPPING )
					gl_FragColor.rgb = CineonToneMapping( gl_FragColor.rgb );
				#elif defined( ACES_FILMIC_TONE_MAPPING )
					gl_FragColor.rgb = ACESFilmicToneMapping( gl_FragColor.rgb );
				#elif defined( AGX_TONE_MAPPING )
					gl_FragColor.rgb = AgXToneMapping( gl_FragColor.rgb );
				#elif defined( NEUTRAL_TONE_MAPPING )
					gl_FragColor.rgb = NeutralToneMapping( gl_FragColor.rgb );
				#elif defined( CUSTOM_TONE_MAPPING )
					gl_FragColor.rgb = CustomToneMapping( gl_FragColor.rgb );
				#endif

				#ifdef SRGB_TRANSFER
					gl_FragColor = sRGBTransferOETF( gl_FragColor );
				#endif
			}`,depthTest:!1,depthWrite:!1}),d=new Ge(h,u),f=new Or(-1,1,1,-1,0,1),m=null,x=null,g=!1,p,_=null,w=[],v=!1;this.setSize=function(A,S){o.setSize(A,S),a!==null&&a.setSize(A,S),l!==null&&l.setSize(A,S);for(let y=0;y<w.length;y++){let M=w[y];M.setSize&&M.setSize(A,S)}},this.setEffects=function(A){w=A,v=w.length>0&&w[0].isRenderPass===!0;let S=o.width,y=o.height;w.length>0&&a===null&&(a=new Mn(S,y,{type:Zn,depthBuffer:!1,stencilBuffer:!1}),l=new Mn(S,y,{type:Zn,depthBuffer:!1,stencilBuffer:!1}));let M=n===!0&&w.some(I=>I.needsDepthTexture===!0);M!==(o.depthTexture!==null)&&(M===!0&&c===null&&(c=new Us(S,y),r===!0&&(c.format=ks,c.type=Hr)),o.dispose(),o.depthTexture=M?c:null,o.resolveDepthBuffer=M,o.storeMultisampledDepthBuffer=M);for(let I=0;I<w.length;I++){let P=w[I];P.setSize&&P.setSize(S,y),M&&P.needsDepthTexture===!0&&P.setDepthTexture&&P.setDepthTexture(c)}},this.begin=function(A,S){if(g||A.toneMapping===ps&&w.length===0)return!1;if(_=S,S!==null){let y=S.width,M=S.height;(o.width!==y||o.height!==M)&&this.setSize(y,M)}return v===!1&&A.setRenderTarget(o),p=A.toneMapping,A.toneMapping=ps,!0},this.hasRenderPass=function(){return v},this.end=function(A,S){A.toneMapping=p,g=!0;let y=o,M=a;for(let I=0;I<w.length;I++){let P=w[I];P.enabled!==!1&&(P.render(A,M,y,S),P.needsSwap!==!1&&(y=M,M=M===a?l:a))}if(m!==A.outputColorSpace||x!==A.toneMapping){m=A.outputColorSpace,x=A.toneMapping,u.defines={},ue.getTransfer(m)===Re&&(u.defines.SRGB_TRANSFER="");let I=tT[x];I&&(u.defines[I]=""),u.needsUpdate=!0}u.uniforms.tDiffuse.value=y.texture,A.setRenderTarget(_),A.render(d,f),_=null,g=!1},this.isCompositing=function(){return g},this.dispose=function(){o.dispose(),a!==null&&a.dispose(),l!==null&&l.dispose(),h.dispose(),u.dispose()}}var C_=new sn,R_=new Us(1,1),P_=new qa(1),I_=new Ba,N_=new Qc,L_=new Xa,a_=[],l_=[],c_=new Float32Array(16),h_=new Float32Array(9),u_=new Float32Array(4);function ta(s,t,e){let i=s[0];if(i<=0||i>0)return s;let n=t*e,r=a_[n];if(r===void 0&&(r=new Float32Array(n),a_[n]=r),t!==0){i.toArray(r,0);for(let o=1,a=0;o!==t;++o)a+=e,s[o].toArray(r,a)}return r}function wi(s,t){if(s.length!==t.length)return!1;for(let e=0,i=s.length;e<i;e++)if(s[e]!==t[e])return!1;return!0}function Ti(s,t){for(let e=0,i=t.length;e<i;e++)s[e]=t[e]}function su(s,t){let e=l_[t];e===void 0&&(e=new Int32Array(t),l_[t]=e);for(let i=0;i!==t;++i)e[i]=s.allocateTextureUnit();return e}function iT(s,t){let e=this.cache;e[0]!==t&&(s.uniform1f(this.addr,t),e[0]=t)}function nT(s,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(s.uniform2f(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(wi(e,t))return;s.uniform2fv(this.addr,t),Ti(e,t)}}function sT(s,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(s.uniform3f(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else if(t.r!==void 0)(e[0]!==t.r||e[1]!==t.g||e[2]!==t.b)&&(s.uniform3f(this.addr,t.r,t.g,t.b),e[0]=t.r,e[1]=t.g,e[2]=t.b);else{if(wi(e,t))return;s.uniform3fv(this.addr,t),Ti(e,t)}}function rT(s,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(s.uniform4f(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(wi(e,t))return;s.uniform4fv(this.addr,t),Ti(e,t)}}function oT(s,t){let e=this.cache,i=t.elements;if(i===void 0){if(wi(e,t))return;s.uniformMatrix2fv(this.addr,!1,t),Ti(e,t)}else{if(wi(e,i))return;u_.set(i),s.uniformMatrix2fv(this.addr,!1,u_),Ti(e,i)}}function aT(s,t){let e=this.cache,i=t.elements;if(i===void 0){if(wi(e,t))return;s.uniformMatrix3fv(this.addr,!1,t),Ti(e,t)}else{if(wi(e,i))return;h_.set(i),s.uniformMatrix3fv(this.addr,!1,h_),Ti(e,i)}}function lT(s,t){let e=this.cache,i=t.elements;if(i===void 0){if(wi(e,t))return;s.uniformMatrix4fv(this.addr,!1,t),Ti(e,t)}else{if(wi(e,i))return;c_.set(i),s.uniformMatrix4fv(this.addr,!1,c_),Ti(e,i)}}function cT(s,t){let e=this.cache;e[0]!==t&&(s.uniform1i(this.addr,t),e[0]=t)}function hT(s,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(s.uniform2i(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(wi(e,t))return;s.uniform2iv(this.addr,t),Ti(e,t)}}function uT(s,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(s.uniform3i(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(wi(e,t))return;s.uniform3iv(this.addr,t),Ti(e,t)}}function dT(s,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(s.uniform4i(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(wi(e,t))return;s.uniform4iv(this.addr,t),Ti(e,t)}}function fT(s,t){let e=this.cache;e[0]!==t&&(s.uniform1ui(this.addr,t),e[0]=t)}function pT(s,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(s.uniform2ui(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(wi(e,t))return;s.uniform2uiv(this.addr,t),Ti(e,t)}}function mT(s,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(s.uniform3ui(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(wi(e,t))return;s.uniform3uiv(this.addr,t),Ti(e,t)}}function gT(s,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(s.uniform4ui(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(wi(e,t))return;s.uniform4uiv(this.addr,t),Ti(e,t)}}function ru(s){return s.version===0&&(s.compareFunction=Lf,s.needsUpdate=!0),s}function _T(s,t,e){let i=this.cache,n=e.allocateTextureUnit();i[0]!==n&&(s.uniform1i(this.addr,n),i[0]=n);let r;this.type===s.SAMPLER_2D_SHADOW?r=ru(R_):r=C_,e.setTexture2D(t||r,n)}function xT(s,t,e){let i=this.cache,n=e.allocateTextureUnit();i[0]!==n&&(s.uniform1i(this.addr,n),i[0]=n),e.setTexture3D(t||N_,n)}function yT(s,t,e){let i=this.cache,n=e.allocateTextureUnit();i[0]!==n&&(s.uniform1i(this.addr,n),i[0]=n);let r;this.type===s.SAMPLER_CUBE_SHADOW?r=ru(P_):r=L_,e.setTextureCube(t||r,n)}function vT(s,t,e){let i=this.cache,n=e.allocateTextureUnit();i[0]!==n&&(s.uniform1i(this.addr,n),i[0]=n),e.setTexture2DArray(t||I_,n)}function bT(s){switch(s){case 5126:return iT;case 35664:return nT;case 35665:return sT;case 35666:return rT;case 35674:return oT;case 35675:return aT;case 35676:return lT;case 5124:case 35670:return cT;case 35667:case 35671:return hT;case 35668:case 35672:return uT;case 35669:case 35673:return dT;case 5125:return fT;case 36294:return pT;case 36295:return mT;case 36296:return gT;case 35678:case 36198:case 36298:case 36306:case 35682:return _T;case 35679:case 36299:case 36307:return xT;case 35680:case 36300:case 36308:case 36293:return yT;case 36289:case 36303:case 36311:case 36292:return vT}}function ST(s,t){s.uniform1fv(this.addr,t)}function MT(s,t){let e=ta(t,this.size,2);s.uniform2fv(this.addr,e)}function wT(s,t){let e=ta(t,this.size,3);s.uniform3fv(this.addr,e)}function TT(s,t){let e=ta(t,this.size,4);s.uniform4fv(this.addr,e)}function AT(s,t){let e=ta(t,this.size,4);s.uniformMatrix2fv(this.addr,!1,e)}function ET(s,t){let e=ta(t,this.size,9);s.uniformMatrix3fv(this.addr,!1,e)}function CT(s,t){let e=ta(t,this.size,16);s.uniformMatrix4fv(this.addr,!1,e)}function RT(s,t){s.uniform1iv(this.addr,t)}function PT(s,t){s.uniform2iv(this.addr,t)}function IT(s,t){s.uniform3iv(this.addr,t)}function NT(s,t){s.uniform4iv(this.addr,t)}function LT(s,t){s.uniform1uiv(this.addr,t)}function DT(s,t){s.uniform2uiv(this.addr,t)}function UT(s,t){s.uniform3uiv(this.addr,t)}function FT(s,t){s.uniform4uiv(this.addr,t)}function OT(s,t,e){let i=this.cache,n=t.length,r=su(e,n);wi(i,r)||(s.uniform1iv(this.addr,r),Ti(i,r));let o;this.type===s.SAMPLER_2D_SHADOW?o=ru(R_):o=C_;for(let a=0;a!==n;++a)e.setTexture2D(t[a]||o,r[a])}function kT(s,t,e){let i=this.cache,n=t.length,r=su(e,n);wi(i,r)||(s.uniform1iv(this.addr,r),Ti(i,r));for(let o=0;o!==n;++o)e.setTexture3D(t[o]||N_,r[o])}function BT(s,t,e){let i=this.cache,n=t.length,r=su(e,n);wi(i,r)||(s.uniform1iv(this.addr,r),Ti(i,r));let o;this.type===s.SAMPLER_CUBE_SHADOW?o=ru(P_):o=L_;for(let a=0;a!==n;++a)e.setTextureCube(t[a]||o,r[a])}function zT(s,t,e){let i=this.cache,n=t.length,r=su(e,n);wi(i,r)||(s.uniform1iv(this.addr,r),Ti(i,r));for(let o=0;o!==n;++o)e.setTexture2DArray(t[o]||I_,r[o])}function VT(s){switch(s){case 5126:return ST;case 35664:return MT;case 35665:return wT;case 35666:return TT;case 35674:return AT;case 35675:return ET;case 35676:return CT;case 5124:case 35670:return RT;case 35667:case 35671:return PT;case 35668:case 35672:return IT;case 35669:case 35673:return NT;case 5125:return LT;case 36294:return DT;case 36295:return UT;case 36296:return FT;case 35678:case 36198:case 36298:case 36306:case 35682:return OT;case 35679:case 36299:case 36307:return kT;case 35680:case 36300:case 36308:case 36293:return BT;case 36289:case 36303:case 36311:case 36292:return zT}}var Xf=class{constructor(t,e,i){this.id=t,this.addr=i,this.cache=[],this.type=e.type,this.setValue=bT(e.type)}},qf=class{constructor(t,e,i){this.id=t,this.addr=i,this.cache=[],this.type=e.type,this.size=e.size,this.setValue=VT(e.type)}},Yf=class{constructor(t){this.id=t,this.seq=[],this.map={}}setValue(t,e,i){let n=this.seq;for(let r=0,o=n.length;r!==o;++r){let a=n[r];a.setValue(t,e[a.id],i)}}},Hf=/(\w+)(\])?(\[|\.)?/g;function d_(s,t){s.seq.push(t),s.map[t.id]=t}function GT(s,t,e){let i=s.name,n=i.length;for(Hf.lastIndex=0;;){let r=Hf.exec(i),o=Hf.lastIndex,a=r[1],l=r[2]==="]",c=r[3];if(l&&(a=a|0),c===void 0||c==="["&&o+2===n){d_(e,c===void 0?new Xf(a,s,t):new qf(a,s,t));break}else{let u=e.map[a];u===void 0&&(u=new Yf(a),d_(e,u)),e=u}}}var Qo=class{constructor(t,e){this.seq=[],this.map={};let i=t.getProgramParameter(e,t.ACTIVE_UNIFORMS);for(let o=0;o<i;++o){let a=t.getActiveUniform(e,o),l=t.getUniformLocation(e,a.name);GT(a,l,this)}let n=[],r=[];for(let o of this.seq)o.type===t.SAMPLER_2D_SHADOW||o.type===t.SAMPLER_CUBE_SHADOW||o.type===t.SAMPLER_2D_ARRAY_SHADOW?n.push(o):r.push(o);n.length>0&&(this.seq=n.concat(r))}setValue(t,e,i,n){let r=this.map[e];r!==void 0&&r.setValue(t,i,n)}setOptional(t,e,i){let n=e[i];n!==void 0&&this.setValue(t,i,n)}static upload(t,e,i,n){for(let r=0,o=e.length;r!==o;++r){let a=e[r],l=i[a.id];l.needsUpdate!==!1&&a.setValue(t,l.value,n)}}static seqWithValue(t,e){let i=[];for(let n=0,r=t.length;n!==r;++n){let o=t[n];o.id in e&&i.push(o)}return i}};function f_(s,t,e){let i=s.createShader(t);return s.shaderSource(i,e),s.compileShader(i),i}var HT=37297,WT=0;function XT(s,t){let e=s.split(`
`),i=[],n=Math.max(t-6,0),r=Math.min(t+6,e.length);for(let o=n;o<r;o++){let a=o+1;i.push(`${a===t?">":" "} ${a}: ${e[o]}`)}return i.join(`
`)}var p_=new oe;function qT(s){ue._getMatrix(p_,ue.workingColorSpace,s);let t=`mat3( ${p_.elements.map(e=>e.toFixed(4))} )`;switch(ue.getTransfer(s)){case ka:return[t,"LinearTransferOETF"];case Re:return[t,"sRGBTransferOETF"];default:return jt("WebGLProgram: Unsupported color space: ",s),[t,"LinearTransferOETF"]}}function m_(s,t,e){let i=s.getShaderParameter(t,s.COMPILE_STATUS),r=(s.getShaderInfoLog(t)||"").trim();if(i&&r==="")return"";let o=/ERROR: 0:(\d+)/.exec(r);if(o){let a=parseInt(o[1]);return e.toUpperCase()+`

`+r+`

`+XT(s.getShaderSource(t),a)}else return r}function YT(s,t){let e=qT(t);return[`vec4 ${s}( vec4 value ) {`,`	return ${e[1]}( vec4( ${e[0]} * value.rgb, value.a ) );`,"}"].join(`
`)}var jT={[gf]:"Linear",[_f]:"Reinhard",[xf]:"Cineon",[yf]:"ACESFilmic",[bf]:"AgX",[Sf]:"Neutral",[vf]:"Custom"};function $T(s,t){let e=jT[t];return e===void 0?(jt("WebGLProgram: Unsupported toneMapping:",t),"vec3 "+s+"( vec3 color ) { return LinearToneMapping( color ); }"):"vec3 "+s+"( vec3 color ) { return "+e+"ToneMapping( color ); }"}var eu=new V;function JT(){ue.getLuminanceCoefficients(eu);let s=eu.x.toFixed(4),t=eu.y.toFixed(4),e=eu.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${s}, ${t}, ${e} );`,"	return dot( weights, rgb );","}"].join(`
`)}function ZT(s){return[s.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",s.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(yl).join(`
`)}function KT(s){let t=[];for(let e in s){let i=s[e];i!==!1&&t.push("#define "+e+" "+i)}return t.join(`
`)}function QT(s,t){let e={},i=s.getProgramParameter(t,s.ACTIVE_ATTRIBUTES);for(let n=0;n<i;n++){let r=s.getActiveAttrib(t,n),o=r.name,a=1;r.type===s.FLOAT_MAT2&&(a=2),r.type===s.FLOAT_MAT3&&(a=3),r.type===s.FLOAT_MAT4&&(a=4),e[o]={type:r.type,location:s.getAttribLocation(t,o),locationSize:a}}return e}function yl(s){return s!==""}function g_(s,t){let e=t.numSpotLightShadows+t.numSpotLightMaps-t.numSpotLightShadowsWithMaps;return s.replace(/NUM_SUN_LIGHTS/g,t.numSunLights).replace(/NUM_DIR_LIGHTS/g,t.numDirLights).replace(/NUM_SPOT_LIGHTS/g,t.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,t.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,e).replace(/NUM_RECT_AREA_LIGHTS/g,t.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,t.numPointLights).replace(/NUM_HEMI_LIGHTS/g,t.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,t.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,t.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,t.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,t.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,t.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,t.numLightProbeGrids)}function __(s,t){return s.replace(/NUM_CLIPPING_PLANES/g,t.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,t.numClippingPlanes-t.numClipIntersection)}var tA=/^[ \t]*#include +<([\w\d./]+)>/gm;function jf(s){return s.replace(tA,eA)}function eA(s,t){let e=pe[t];if(e===void 0)throw new Error("THREE.WebGLProgram: Can not resolve #include <"+t+">");return jf(e)}var iA=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function x_(s){return s.replace(iA,nA)}function nA(s,t,e,i){let n="";for(let r=parseInt(t);r<parseInt(e);r++)n+=i.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return n}function y_(s){let t=`precision ${s.precision} float;
	precision ${s.precision} int;
	precision ${s.precision} sampler2D;
	precision ${s.precision} samplerCube;
	precision ${s.precision} sampler3D;
	precision ${s.precision} sampler2DArray;
	precision ${s.precision} sampler2DShadow;
	precision ${s.precision} samplerCubeShadow;
	precision ${s.precision} sampler2DArrayShadow;
	precision ${s.precision} isampler2D;
	precision ${s.precision} isampler3D;
	precision ${s.precision} isamplerCube;
	precision ${s.precision} isampler2DArray;
	precision ${s.precision} usampler2D;
	precision ${s.precision} usampler3D;
	precision ${s.precision} usamplerCube;
	precision ${s.precision} usampler2DArray;
	`;return s.precision==="highp"?t+=`
#define HIGH_PRECISION`:s.precision==="mediump"?t+=`
#define MEDIUM_PRECISION`:s.precision==="lowp"&&(t+=`
#define LOW_PRECISION`),t}var sA={[ll]:"SHADOWMAP_TYPE_PCF",[$o]:"SHADOWMAP_TYPE_VSM"};function rA(s){return sA[s.shadowMapType]||"SHADOWMAP_TYPE_BASIC"}var oA={[Zo]:"ENVMAP_MODE_REFRACTION"};function aA(s){return s.envMap===!1?"ENVMAP_MODE_REFLECTION":oA[s.envMapMode]||"ENVMAP_MODE_REFLECTION"}var lA={[cl]:"ENVMAP_BLENDING_MULTIPLY",[P0]:"ENVMAP_BLENDING_MIX",[I0]:"ENVMAP_BLENDING_ADD"};function cA(s){return s.envMap===!1?"ENVMAP_BLENDING_NONE":lA[s.combine]||"ENVMAP_BLENDING_NONE"}function hA(s,t,e,i){let n=s.getContext(),r=e.defines,o=e.vertexShader,a=e.fragmentShader,l=rA(e),c=e.envMapPMREM===!0?"ENVMAP_TYPE_PMREM":"ENVMAP_TYPE_CUBE",h=aA(e),u=cA(e),d=ZT(e),f=KT(r),m=n.createProgram(),x,g,p=e.glslVersion?"#version "+e.glslVersion+`
`:"";e.isRawShaderMaterial?(x=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,f].filter(yl).join(`
`),x.length>0&&(x+=`
`),g=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,f].filter(yl).join(`
`),g.length>0&&(g+=`
`)):(x=[y_(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,f,e.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",e.batching?"#define USE_BATCHING":"",e.batchingColor?"#define USE_BATCHING_COLOR":"",e.instancing?"#define USE_INSTANCING":"",e.instancingColor?"#define USE_INSTANCING_COLOR":"",e.instancingMorph?"#define USE_INSTANCING_MORPH":"",e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.map?"#define USE_MAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+h:"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.displacementMap?"#define USE_DISPLACEMENTMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.mapUv?"#define MAP_UV "+e.mapUv:"",e.alphaMapUv?"#define ALPHAMAP_UV "+e.alphaMapUv:"",e.lightMapUv?"#define LIGHTMAP_UV "+e.lightMapUv:"",e.aoMapUv?"#define AOMAP_UV "+e.aoMapUv:"",e.emissiveMapUv?"#define EMISSIVEMAP_UV "+e.emissiveMapUv:"",e.bumpMapUv?"#define BUMPMAP_UV "+e.bumpMapUv:"",e.normalMapUv?"#define NORMALMAP_UV "+e.normalMapUv:"",e.displacementMapUv?"#define DISPLACEMENTMAP_UV "+e.displacementMapUv:"",e.metalnessMapUv?"#define METALNESSMAP_UV "+e.metalnessMapUv:"",e.roughnessMapUv?"#define ROUGHNESSMAP_UV "+e.roughnessMapUv:"",e.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+e.anisotropyMapUv:"",e.clearcoatMapUv?"#define CLEARCOATMAP_UV "+e.clearcoatMapUv:"",e.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+e.clearcoatNormalMapUv:"",e.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+e.clearcoatRoughnessMapUv:"",e.diffuseRoughnessMapUv?"#define DIFFUSE_ROUGHNESSMAP_UV "+e.diffuseRoughnessMapUv:"",e.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+e.iridescenceMapUv:"",e.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+e.iridescenceThicknessMapUv:"",e.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+e.sheenColorMapUv:"",e.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+e.sheenRoughnessMapUv:"",e.specularMapUv?"#define SPECULARMAP_UV "+e.specularMapUv:"",e.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+e.specularColorMapUv:"",e.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+e.specularIntensityMapUv:"",e.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+e.transmissionMapUv:"",e.thicknessMapUv?"#define THICKNESSMAP_UV "+e.thicknessMapUv:"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexNormals?"#define HAS_NORMAL":"",e.vertexColors?"#define USE_COLOR":"",e.vertexAlphas?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.flatShading?"#define FLAT_SHADED":"",e.skinning?"#define USE_SKINNING":"",e.morphTargets?"#define USE_MORPHTARGETS":"",e.morphNormals&&e.flatShading===!1?"#define USE_MORPHNORMALS":"",e.morphColors?"#define USE_MORPHCOLORS":"",e.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+e.morphTextureStride:"",e.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+e.morphTargetsCount:"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.sizeAttenuation?"#define USE_SIZEATTENUATION":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(yl).join(`
`),g=[y_(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,f,e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",e.map?"#define USE_MAP":"",e.matcap?"#define USE_MATCAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+c:"",e.envMap?"#define "+h:"",e.envMap?"#define "+u:"",e.envMapPMREM?"#define ENVMAP_MAX_LOD "+e.envMapMaxLod+".0":"",e.envMapPMREM?"#define ENVMAP_SIZE "+e.envMapSize+".0":"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.packedNormalMap?"#define USE_PACKED_NORMALMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoat?"#define USE_CLEARCOAT":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.diffuseRoughness?"#define USE_DIFFUSE_ROUGHNESS":"",e.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",e.dispersion?"#define USE_DISPERSION":"",e.retroreflection?"#define USE_RETROREFLECTION":"",e.iridescence?"#define USE_IRIDESCENCE":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaTest?"#define USE_ALPHATEST":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.sheen?"#define USE_SHEEN":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexColors||e.instancingColor?"#define USE_COLOR":"",e.vertexAlphas||e.batchingColor?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.gradientMap?"#define USE_GRADIENTMAP":"",e.flatShading?"#define FLAT_SHADED":"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",e.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",e.toneMapping!==ps?"#define TONE_MAPPING":"",e.toneMapping!==ps?pe.tonemapping_pars_fragment:"",e.toneMapping!==ps?$T("toneMapping",e.toneMapping):"",e.dithering?"#define DITHERING":"",e.opaque?"#define OPAQUE":"",pe.colorspace_pars_fragment,YT("linearToOutputTexel",e.outputColorSpace),JT(),e.useDepthPacking?"#define DEPTH_PACKING "+e.depthPacking:"",`
`].filter(yl).join(`
`)),o=jf(o),o=g_(o,e),o=__(o,e),a=jf(a),a=g_(a,e),a=__(a,e),o=x_(o),a=x_(a),e.isRawShaderMaterial!==!0&&(p=`#version 300 es
`,x=[d,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+x,g=["#define varying in",e.glslVersion===Df?"":"layout(location = 0) out highp vec4 pc_fragColor;",e.glslVersion===Df?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+g);let _=p+x+o,w=p+g+a,v=f_(n,n.VERTEX_SHADER,_),A=f_(n,n.FRAGMENT_SHADER,w);n.attachShader(m,v),n.attachShader(m,A),e.index0AttributeName!==void 0?n.bindAttribLocation(m,0,e.index0AttributeName):e.hasPositionAttribute===!0&&n.bindAttribLocation(m,0,"position"),n.linkProgram(m);function S(P){if(s.debug.checkShaderErrors){let R=n.getProgramInfoLog(m)||"",U=n.getShaderInfoLog(v)||"",O=n.getShaderInfoLog(A)||"",L=R.trim(),H=U.trim(),k=O.trim(),G=!0,it=!0;if(n.getProgramParameter(m,n.LINK_STATUS)===!1)if(G=!1,typeof s.debug.onShaderError=="function")s.debug.onShaderError(n,m,v,A);else{let Y=m_(n,v,"vertex"),J=m_(n,A,"fragment");ne("WebGLProgram: Shader Error "+n.getError()+" - VALIDATE_STATUS "+n.getProgramParameter(m,n.VALIDATE_STATUS)+`

Material Name: `+P.name+`
Material Type: `+P.type+`

Program Info Log: `+L+`
`+Y+`
`+J)}else L!==""?jt("WebGLProgram: Program Info Log:",L):(H===""||k==="")&&(it=!1);it&&(P.diagnostics={runnable:G,programLog:L,vertexShader:{log:H,prefix:x},fragmentShader:{log:k,prefix:g}})}n.deleteShader(v),n.deleteShader(A),y=new Qo(n,m),M=QT(n,m)}let y;this.getUniforms=function(){return y===void 0&&S(this),y};let M;this.getAttributes=function(){return M===void 0&&S(this),M};let I=e.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return I===!1&&(I=n.getProgramParameter(m,HT)),I},this.destroy=function(){i.releaseStatesOfProgram(this),n.deleteProgram(m),this.program=void 0},this.type=e.shaderType,this.name=e.shaderName,this.id=WT++,this.cacheKey=t,this.usedTimes=1,this.program=m,this.vertexShader=v,this.fragmentShader=A,this}var uA=0,$f=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(t,e,i){let n=this._getShaderCacheForMaterial(t);return n.has(e)===!1&&(n.add(e),e.usedTimes++),n.has(i)===!1&&(n.add(i),i.usedTimes++),this}remove(t){let e=this.materialCache.get(t);for(let i of e)i.usedTimes--,i.usedTimes===0&&this.shaderCache.delete(i.code);return this.materialCache.delete(t),this}getVertexShaderStage(t){return this._getShaderStage(t.vertexShader)}getFragmentShaderStage(t){return this._getShaderStage(t.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(t){let e=this.materialCache,i=e.get(t);return i===void 0&&(i=new Set,e.set(t,i)),i}_getShaderStage(t){let e=this.shaderCache,i=e.get(t);return i===void 0&&(i=new Jf(t),e.set(t,i)),i}},Jf=class{constructor(t){this.id=uA++,this.code=t,this.usedTimes=0}};function dA(s){return s===lr||s===ml||s===gl}function fA(s,t,e,i,n,r){let o=new za,a=new $f,l=new Set,c=[],h=new Map,u=i.logarithmicDepthBuffer,d={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distance",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function f(y){return l.add(y),y===0?"uv":`uv${y}`}function m(y,M,I,P,R,U){let O=P.fog,L=R.geometry,H=y.isMeshStandardMaterial||y.isMeshLambertMaterial||y.isMeshPhongMaterial?P.environment:null,k=y.isMeshStandardMaterial||y.isMeshLambertMaterial&&!y.envMap||y.isMeshPhongMaterial&&!y.envMap,G=t.get(y.envMap||H,k),it=d[y.type],Y=i.precision;y.precision!==null&&(Y=i.getMaxPrecision(y.precision),Y!==y.precision&&jt("WebGLProgram.getParameters:",y.precision,"not supported, using",Y,"instead."));let J=L.morphAttributes.position||L.morphAttributes.normal||L.morphAttributes.color,Q=J!==void 0?J.length:0,ct=0;L.morphAttributes.position!==void 0&&(ct=1),L.morphAttributes.normal!==void 0&&(ct=2),L.morphAttributes.color!==void 0&&(ct=3);let nt,q,st,et;if(it){let Ct=gs[it];nt=Ct.vertexShader,q=Ct.fragmentShader}else{nt=y.vertexShader,q=y.fragmentShader;let Ct=a.getVertexShaderStage(y),he=a.getFragmentShaderStage(y);a.update(y,Ct,he),st=Ct.id,et=he.id}let at=s.getRenderTarget(),gt=s.state.buffers.depth.getReversed(),Ut=R.isInstancedMesh===!0,Kt=R.isBatchedMesh===!0,kt=!!y.map,me=!!y.matcap,de=!!G,ae=de&&G.isPMREMTexture===!0,Ze=!!y.aoMap,He=!!y.lightMap,ui=!!y.bumpMap&&y.wireframe===!1,Fe=!!y.normalMap,Ei=!!y.displacementMap,Se=!!y.emissiveMap,vi=!!y.metalnessMap,ni=!!y.roughnessMap,di=y.anisotropy>0,z=y.clearcoat>0,Rt=y.diffuseRoughness>0,Qt=y.dispersion>0,ce=y.retroreflectivity>0,wt=y.iridescence>0,Be=y.sheen>0,Ht=y.transmission>0,Zt=di&&!!y.anisotropyMap,N=z&&!!y.clearcoatMap,T=z&&!!y.clearcoatNormalMap,j=z&&!!y.clearcoatRoughnessMap,mt=Rt&&!!y.diffuseRoughnessMap,ut=wt&&!!y.iridescenceMap,vt=wt&&!!y.iridescenceThicknessMap,bt=Be&&!!y.sheenColorMap,rt=Be&&!!y.sheenRoughnessMap,lt=!!y.specularMap,xt=!!y.specularColorMap,B=!!y.specularIntensityMap,ht=Ht&&!!y.transmissionMap,ot=Ht&&!!y.thicknessMap,Tt=!!y.gradientMap,yt=!!y.alphaMap,Mt=y.alphaTest>0,Xt=!!y.alphaHash,ee=!!y.extensions,pt=ps;y.toneMapped&&(at===null||at.isXRRenderTarget===!0)&&(pt=s.toneMapping);let Bt=ae?G.isCompressedCubeTexture?G.image[0].mipmaps:G.mipmaps:null,ie={shaderID:it,shaderType:y.type,shaderName:y.name,vertexShader:nt,fragmentShader:q,defines:y.defines,customVertexShaderID:st,customFragmentShaderID:et,isRawShaderMaterial:y.isRawShaderMaterial===!0,glslVersion:y.glslVersion,precision:Y,batching:Kt,batchingColor:Kt&&R._colorsTexture!==null,instancing:Ut,instancingColor:Ut&&R.instanceColor!==null,instancingMorph:Ut&&R.morphTexture!==null,outputColorSpace:at===null?s.outputColorSpace:at.isXRRenderTarget===!0?at.texture.colorSpace:ue.workingColorSpace,alphaToCoverage:!!y.alphaToCoverage,map:kt,matcap:me,envMap:de,envMapMode:de&&G.mapping,envMapPMREM:ae,envMapMaxLod:ae?Bt.length-1:null,envMapSize:ae?Bt[0].width:null,aoMap:Ze,lightMap:He,bumpMap:ui,normalMap:Fe,displacementMap:Ei,emissiveMap:Se,normalMapObjectSpace:Fe&&y.normalMapType===F0,normalMapTangentSpace:Fe&&y.normalMapType===_l,packedNormalMap:Fe&&y.normalMapType===_l&&dA(y.normalMap.format),metalnessMap:vi,roughnessMap:ni,anisotropy:di,anisotropyMap:Zt,clearcoat:z,clearcoatMap:N,clearcoatNormalMap:T,clearcoatRoughnessMap:j,diffuseRoughness:Rt,diffuseRoughnessMap:mt,dispersion:Qt,retroreflection:ce,iridescence:wt,iridescenceMap:ut,iridescenceThicknessMap:vt,sheen:Be,sheenColorMap:bt,sheenRoughnessMap:rt,specularMap:lt,specularColorMap:xt,specularIntensityMap:B,transmission:Ht,transmissionMap:ht,thicknessMap:ot,gradientMap:Tt,opaque:y.transparent===!1&&y.blending===Jo&&y.alphaToCoverage===!1,alphaMap:yt,alphaTest:Mt,alphaHash:Xt,combine:y.combine,mapUv:kt&&f(y.map.channel),aoMapUv:Ze&&f(y.aoMap.channel),lightMapUv:He&&f(y.lightMap.channel),bumpMapUv:ui&&f(y.bumpMap.channel),normalMapUv:Fe&&f(y.normalMap.channel),displacementMapUv:Ei&&f(y.displacementMap.channel),emissiveMapUv:Se&&f(y.emissiveMap.channel),metalnessMapUv:vi&&f(y.metalnessMap.channel),roughnessMapUv:ni&&f(y.roughnessMap.channel),anisotropyMapUv:Zt&&f(y.anisotropyMap.channel),clearcoatMapUv:N&&f(y.clearcoatMap.channel),clearcoatNormalMapUv:T&&f(y.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:j&&f(y.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:mt&&f(y.diffuseRoughnessMap.channel),iridescenceMapUv:ut&&f(y.iridescenceMap.channel),iridescenceThicknessMapUv:vt&&f(y.iridescenceThicknessMap.channel),sheenColorMapUv:bt&&f(y.sheenColorMap.channel),sheenRoughnessMapUv:rt&&f(y.sheenRoughnessMap.channel),specularMapUv:lt&&f(y.specularMap.channel),specularColorMapUv:xt&&f(y.specularColorMap.channel),specularIntensityMapUv:B&&f(y.specularIntensityMap.channel),transmissionMapUv:ht&&f(y.transmissionMap.channel),thicknessMapUv:ot&&f(y.thicknessMap.channel),alphaMapUv:yt&&f(y.alphaMap.channel),vertexTangents:!!L.attributes.tangent&&(Fe||di),vertexNormals:!!L.attributes.normal,vertexColors:y.vertexColors,vertexAlphas:y.vertexColors===!0&&!!L.attributes.color&&L.attributes.color.itemSize===4,pointsUvs:R.isPoints===!0&&!!L.attributes.uv&&(kt||yt),fog:!!O,useFog:y.fog===!0,fogExp2:!!O&&O.isFogExp2,flatShading:y.wireframe===!1&&(y.flatShading===!0||L.attributes.normal===void 0&&Fe===!1&&(y.isMeshLambertMaterial||y.isMeshPhongMaterial||y.isMeshStandardMaterial||y.isMeshPhysicalMaterial)),sizeAttenuation:y.sizeAttenuation===!0,logarithmicDepthBuffer:u,reversedDepthBuffer:gt,skinning:R.isSkinnedMesh===!0,hasPositionAttribute:L.attributes.position!==void 0,morphTargets:L.morphAttributes.position!==void 0,morphNormals:L.morphAttributes.normal!==void 0,morphColors:L.morphAttributes.color!==void 0,morphTargetsCount:Q,morphTextureStride:ct,numSunLights:M.sun.length,numDirLights:M.directional.length,numPointLights:M.point.length,numSpotLights:M.spot.length,numSpotLightMaps:M.spotLightMap.length,numRectAreaLights:M.rectArea.length,numHemiLights:M.hemi.length,numSunLightShadows:M.sunShadowMap.length,numDirLightShadows:M.directionalShadowMap.length,numPointLightShadows:M.pointShadowMap.length,numSpotLightShadows:M.spotShadowMap.length,numSpotLightShadowsWithMaps:M.numSpotLightShadowsWithMaps,numLightProbes:M.numLightProbes,numLightProbeGrids:U.filter(Ct=>Ct.texture!==null).length,numClippingPlanes:r.numPlanes,numClipIntersection:r.numIntersection,dithering:y.dithering,shadowMapEnabled:s.shadowMap.enabled&&I.length>0,shadowMapType:s.shadowMap.type,toneMapping:pt,decodeVideoTexture:kt&&y.map.isVideoTexture===!0&&ue.getTransfer(y.map.colorSpace)===Re,decodeVideoTextureEmissive:Se&&y.emissiveMap.isVideoTexture===!0&&ue.getTransfer(y.emissiveMap.colorSpace)===Re,premultipliedAlpha:y.premultipliedAlpha,doubleSided:y.side===Nn,flipSided:y.side===rn,useDepthPacking:y.depthPacking>=0,depthPacking:y.depthPacking||0,index0AttributeName:y.index0AttributeName,extensionClipCullDistance:ee&&y.extensions.clipCullDistance===!0&&e.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(ee&&y.extensions.multiDraw===!0||Kt)&&e.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:e.has("KHR_parallel_shader_compile"),customProgramCacheKey:y.customProgramCacheKey()};return ie.vertexUv1s=l.has(1),ie.vertexUv2s=l.has(2),ie.vertexUv3s=l.has(3),l.clear(),ie}function x(y){let M=[];if(y.shaderID?M.push(y.shaderID):(M.push(y.customVertexShaderID),M.push(y.customFragmentShaderID)),y.defines!==void 0)for(let I in y.defines)M.push(I),M.push(y.defines[I]);return y.isRawShaderMaterial===!1&&(g(M,y),p(M,y),M.push(s.outputColorSpace)),M.push(y.customProgramCacheKey),M.join()}function g(y,M){y.push(M.precision),y.push(M.outputColorSpace),y.push(M.envMapMode),y.push(M.envMapPMREM),y.push(M.envMapMaxLod),y.push(M.envMapSize),y.push(M.mapUv),y.push(M.alphaMapUv),y.push(M.lightMapUv),y.push(M.aoMapUv),y.push(M.bumpMapUv),y.push(M.normalMapUv),y.push(M.displacementMapUv),y.push(M.emissiveMapUv),y.push(M.metalnessMapUv),y.push(M.roughnessMapUv),y.push(M.anisotropyMapUv),y.push(M.clearcoatMapUv),y.push(M.clearcoatNormalMapUv),y.push(M.clearcoatRoughnessMapUv),y.push(M.diffuseRoughnessMapUv),y.push(M.iridescenceMapUv),y.push(M.iridescenceThicknessMapUv),y.push(M.sheenColorMapUv),y.push(M.sheenRoughnessMapUv),y.push(M.specularMapUv),y.push(M.specularColorMapUv),y.push(M.specularIntensityMapUv),y.push(M.transmissionMapUv),y.push(M.thicknessMapUv),y.push(M.combine),y.push(M.fogExp2),y.push(M.sizeAttenuation),y.push(M.morphTargetsCount),y.push(M.numSunLights),y.push(M.numDirLights),y.push(M.numPointLights),y.push(M.numSpotLights),y.push(M.numSpotLightMaps),y.push(M.numHemiLights),y.push(M.numRectAreaLights),y.push(M.numSunLightShadows),y.push(M.numDirLightShadows),y.push(M.numPointLightShadows),y.push(M.numSpotLightShadows),y.push(M.numSpotLightShadowsWithMaps),y.push(M.numLightProbes),y.push(M.numLightProbeGrids),y.push(M.shadowMapType),y.push(M.toneMapping),y.push(M.numClippingPlanes),y.push(M.numClipIntersection),y.push(M.depthPacking)}function p(y,M){o.disableAll(),M.instancing&&o.enable(0),M.instancingColor&&o.enable(1),M.instancingMorph&&o.enable(2),M.matcap&&o.enable(3),M.envMap&&o.enable(4),M.normalMapObjectSpace&&o.enable(5),M.normalMapTangentSpace&&o.enable(6),M.clearcoat&&o.enable(7),M.iridescence&&o.enable(8),M.alphaTest&&o.enable(9),M.vertexColors&&o.enable(10),M.vertexAlphas&&o.enable(11),M.vertexUv1s&&o.enable(12),M.vertexUv2s&&o.enable(13),M.vertexUv3s&&o.enable(14),M.vertexTangents&&o.enable(15),M.anisotropy&&o.enable(16),M.alphaHash&&o.enable(17),M.batching&&o.enable(18),M.dispersion&&o.enable(19),M.retroreflection&&o.enable(24),M.diffuseRoughness&&o.enable(25),M.batchingColor&&o.enable(20),M.gradientMap&&o.enable(21),M.packedNormalMap&&o.enable(22),M.vertexNormals&&o.enable(23),y.push(o.mask),o.disableAll(),M.fog&&o.enable(0),M.useFog&&o.enable(1),M.flatShading&&o.enable(2),M.logarithmicDepthBuffer&&o.enable(3),M.reversedDepthBuffer&&o.enable(4),M.skinning&&o.enable(5),M.morphTargets&&o.enable(6),M.morphNormals&&o.enable(7),M.morphColors&&o.enable(8),M.premultipliedAlpha&&o.enable(9),M.shadowMapEnabled&&o.enable(10),M.doubleSided&&o.enable(11),M.flipSided&&o.enable(12),M.useDepthPacking&&o.enable(13),M.dithering&&o.enable(14),M.transmission&&o.enable(15),M.sheen&&o.enable(16),M.opaque&&o.enable(17),M.pointsUvs&&o.enable(18),M.decodeVideoTexture&&o.enable(19),M.decodeVideoTextureEmissive&&o.enable(20),M.alphaToCoverage&&o.enable(21),M.numLightProbeGrids>0&&o.enable(22),M.hasPositionAttribute&&o.enable(23),y.push(o.mask)}function _(y){let M=d[y.type],I;if(M){let P=gs[M];I=e_.clone(P.uniforms)}else I=y.uniforms;return I}function w(y,M){let I=h.get(M);return I!==void 0?++I.usedTimes:(I=new hA(s,M,y,n),c.push(I),h.set(M,I)),I}function v(y){if(--y.usedTimes===0){let M=c.indexOf(y);c[M]=c[c.length-1],c.pop(),h.delete(y.cacheKey),y.destroy()}}function A(y){a.remove(y)}function S(){a.dispose()}return{getParameters:m,getProgramCacheKey:x,getUniforms:_,acquireProgram:w,releaseProgram:v,releaseShaderCache:A,programs:c,dispose:S}}function pA(){let s=new WeakMap;function t(o){return s.has(o)}function e(o){let a=s.get(o);return a===void 0&&(a={},s.set(o,a)),a}function i(o){s.delete(o)}function n(o,a,l){s.get(o)[a]=l}function r(){s=new WeakMap}return{has:t,get:e,remove:i,update:n,dispose:r}}function mA(s,t){return s.groupOrder!==t.groupOrder?s.groupOrder-t.groupOrder:s.renderOrder!==t.renderOrder?s.renderOrder-t.renderOrder:s.material.id!==t.material.id?s.material.id-t.material.id:s.materialVariant!==t.materialVariant?s.materialVariant-t.materialVariant:s.z!==t.z?s.z-t.z:s.id-t.id}function v_(s,t){return s.groupOrder!==t.groupOrder?s.groupOrder-t.groupOrder:s.renderOrder!==t.renderOrder?s.renderOrder-t.renderOrder:s.z!==t.z?t.z-s.z:s.id-t.id}function b_(){let s=[],t=0,e=[],i=[],n=[];function r(){t=0,e.length=0,i.length=0,n.length=0}function o(d){let f=0;return d.isInstancedMesh&&(f+=2),d.isSkinnedMesh&&(f+=1),f}function a(d,f,m,x,g,p){let _=s[t];return _===void 0?(_={id:d.id,object:d,geometry:f,material:m,materialVariant:o(d),groupOrder:x,renderOrder:d.renderOrder,z:g,group:p},s[t]=_):(_.id=d.id,_.object=d,_.geometry=f,_.material=m,_.materialVariant=o(d),_.groupOrder=x,_.renderOrder=d.renderOrder,_.z=g,_.group=p),t++,_}function l(d,f,m,x,g,p,_){_.reversedDepth===!0&&(g=-g);let w=a(d,f,m,x,g,p);m.transmission>0?i.push(w):m.transparent===!0?n.push(w):e.push(w)}function c(d,f,m,x,g,p){let _=a(d,f,m,x,g,p);m.transmission>0?i.unshift(_):m.transparent===!0?n.unshift(_):e.unshift(_)}function h(d,f){e.length>1&&e.sort(d||mA),i.length>1&&i.sort(f||v_),n.length>1&&n.sort(f||v_)}function u(){for(let d=t,f=s.length;d<f;d++){let m=s[d];if(m.id===null)break;m.id=null,m.object=null,m.geometry=null,m.material=null,m.group=null}}return{opaque:e,transmissive:i,transparent:n,init:r,push:l,unshift:c,finish:u,sort:h}}function gA(){let s=new WeakMap;function t(i,n){let r=s.get(i),o;return r===void 0?(o=new b_,s.set(i,[o])):n>=r.length?(o=new b_,r.push(o)):o=r[n],o}function e(){s=new WeakMap}return{get:t,dispose:e}}function _A(){let s={};return{get:function(t){if(s[t.id]!==void 0)return s[t.id];let e;switch(t.type){case"SunLight":case"DirectionalLight":e={direction:new V,color:new qt};break;case"SpotLight":e={position:new V,direction:new V,color:new qt,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":e={position:new V,color:new qt,distance:0,decay:0};break;case"HemisphereLight":e={direction:new V,skyColor:new qt,groundColor:new qt};break;case"RectAreaLight":e={color:new qt,position:new V,halfWidth:new V,halfHeight:new V};break}return s[t.id]=e,e}}}function xA(){let s={};return{get:function(t){if(s[t.id]!==void 0)return s[t.id];let e;switch(t.type){case"SunLight":case"DirectionalLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new $t};break;case"SpotLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new $t};break;case"PointLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new $t,shadowCameraNear:1,shadowCameraFar:1e3};break}return s[t.id]=e,e}}}var yA=0;function vA(s,t){return(t.castShadow?2:0)-(s.castShadow?2:0)+(t.map?1:0)-(s.map?1:0)}function bA(s){let t=new _A,e=xA(),i={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let c=0;c<9;c++)i.probe.push(new V);let n=new V,r=new Jt,o=new Jt;function a(c){let h=0,u=0,d=0;for(let U=0;U<9;U++)i.probe[U].set(0,0,0);let f=0,m=0,x=0,g=0,p=0,_=0,w=0,v=0,A=0,S=0,y=0,M=0,I=0,P=0;c.sort(vA);for(let U=0,O=c.length;U<O;U++){let L=c[U],H=L.color,k=L.intensity,G=L.distance,it=null;if(L.shadow&&L.shadow.map&&(L.shadow.map.texture.format===lr?it=L.shadow.map.texture:it=L.shadow.map.depthTexture||L.shadow.map.texture),L.isAmbientLight)h+=H.r*k,u+=H.g*k,d+=H.b*k;else if(L.isLightProbe){for(let Y=0;Y<9;Y++)i.probe[Y].addScaledVector(L.sh.coefficients[Y],k);P++}else if(L.isSunLight){let Y=t.get(L);if(Y.color.copy(L.color).multiplyScalar(L.intensity),L.castShadow){let J=L.shadow,Q=e.get(L);Q.shadowIntensity=J.intensity,Q.shadowBias=J.bias,Q.shadowNormalBias=J.normalBias,Q.shadowRadius=J.radius,Q.shadowMapSize.copy(J.mapSize).multiply(J.getFrameExtents()),i.sunShadow[m]=Q,i.sunShadowMap[m]=it;let ct=J.getViewportCount();for(let nt=0;nt<ct;nt++)i.sunShadowMatrix[x+nt]=J.getMatrix(nt),i.sunShadowCascade[x+nt]=J._cascadeData[nt];x+=ct,m++}i.sun[f]=Y,f++}else if(L.isDirectionalLight){let Y=t.get(L);if(Y.color.copy(L.color).multiplyScalar(L.intensity),L.castShadow){let J=L.shadow,Q=e.get(L);Q.shadowIntensity=J.intensity,Q.shadowBias=J.bias,Q.shadowNormalBias=J.normalBias,Q.shadowRadius=J.radius,Q.shadowMapSize=J.mapSize,i.directionalShadow[g]=Q,i.directionalShadowMap[g]=it,i.directionalShadowMatrix[g]=L.shadow.matrix,A++}i.directional[g]=Y,g++}else if(L.isSpotLight){let Y=t.get(L);Y.position.setFromMatrixPosition(L.matrixWorld),Y.color.copy(H).multiplyScalar(k),Y.distance=G,Y.coneCos=Math.cos(L.angle),Y.penumbraCos=Math.cos(L.angle*(1-L.penumbra)),Y.decay=L.decay,i.spot[_]=Y;let J=L.shadow;if(L.map&&(i.spotLightMap[M]=L.map,M++,J.updateMatrices(L),L.castShadow&&I++),i.spotLightMatrix[_]=J.matrix,L.castShadow){let Q=e.get(L);Q.shadowIntensity=J.intensity,Q.shadowBias=J.bias,Q.shadowNormalBias=J.normalBias,Q.shadowRadius=J.radius,Q.shadowMapSize=J.mapSize,i.spotShadow[_]=Q,i.spotShadowMap[_]=it,y++}_++}else if(L.isRectAreaLight){let Y=t.get(L);Y.color.copy(H).multiplyScalar(k),Y.halfWidth.set(L.width*.5,0,0),Y.halfHeight.set(0,L.height*.5,0),i.rectArea[w]=Y,w++}else if(L.isPointLight){let Y=t.get(L);if(Y.color.copy(L.color).multiplyScalar(L.intensity),Y.distance=L.distance,Y.decay=L.decay,L.castShadow){let J=L.shadow,Q=e.get(L);Q.shadowIntensity=J.intensity,Q.shadowBias=J.bias,Q.shadowNormalBias=J.normalBias,Q.shadowRadius=J.radius,Q.shadowMapSize=J.mapSize,Q.shadowCameraNear=J.camera.near,Q.shadowCameraFar=J.camera.far,i.pointShadow[p]=Q,i.pointShadowMap[p]=it,i.pointShadowMatrix[p]=L.shadow.matrix,S++}i.point[p]=Y,p++}else if(L.isHemisphereLight){let Y=t.get(L);Y.skyColor.copy(L.color).multiplyScalar(k),Y.groundColor.copy(L.groundColor).multiplyScalar(k),i.hemi[v]=Y,v++}}w>0&&(s.has("OES_texture_float_linear")===!0?(i.rectAreaLTC1=Nt.LTC_FLOAT_1,i.rectAreaLTC2=Nt.LTC_FLOAT_2):(i.rectAreaLTC1=Nt.LTC_HALF_1,i.rectAreaLTC2=Nt.LTC_HALF_2)),i.ambient[0]=h,i.ambient[1]=u,i.ambient[2]=d;let R=i.hash;(R.sunLength!==f||R.directionalLength!==g||R.pointLength!==p||R.spotLength!==_||R.rectAreaLength!==w||R.hemiLength!==v||R.numSunShadows!==m||R.numDirectionalShadows!==A||R.numPointShadows!==S||R.numSpotShadows!==y||R.numSpotMaps!==M||R.numLightProbes!==P)&&(i.sun.length=f,i.directional.length=g,i.spot.length=_,i.rectArea.length=w,i.point.length=p,i.hemi.length=v,i.sunShadow.length=m,i.sunShadowMap.length=m,i.sunShadowMatrix.length=x,i.sunShadowCascade.length=x,i.directionalShadow.length=A,i.directionalShadowMap.length=A,i.directionalShadowMatrix.length=A,i.pointShadow.length=S,i.pointShadowMap.length=S,i.pointShadowMatrix.length=S,i.spotShadow.length=y,i.spotShadowMap.length=y,i.spotLightMatrix.length=y+M-I,i.spotLightMap.length=M,i.numSpotLightShadowsWithMaps=I,i.numLightProbes=P,R.sunLength=f,R.directionalLength=g,R.pointLength=p,R.spotLength=_,R.rectAreaLength=w,R.hemiLength=v,R.numSunShadows=m,R.numDirectionalShadows=A,R.numPointShadows=S,R.numSpotShadows=y,R.numSpotMaps=M,R.numLightProbes=P,i.version=yA++)}function l(c,h){let u=0,d=0,f=0,m=0,x=0,g=0,p=h.matrixWorldInverse;for(let _=0,w=c.length;_<w;_++){let v=c[_];if(v.isSunLight){let A=i.sun[u];A.direction.setFromMatrixPosition(v.matrixWorld),A.direction.transformDirection(p),u++}else if(v.isDirectionalLight){let A=i.directional[d];A.direction.setFromMatrixPosition(v.matrixWorld),n.setFromMatrixPosition(v.target.matrixWorld),A.direction.sub(n),A.direction.transformDirection(p),d++}else if(v.isSpotLight){let A=i.spot[m];A.position.setFromMatrixPosition(v.matrixWorld),A.position.applyMatrix4(p),A.direction.setFromMatrixPosition(v.matrixWorld),n.setFromMatrixPosition(v.target.matrixWorld),A.direction.sub(n),A.direction.transformDirection(p),m++}else if(v.isRectAreaLight){let A=i.rectArea[x];A.position.setFromMatrixPosition(v.matrixWorld),A.position.applyMatrix4(p),o.identity(),r.copy(v.matrixWorld),r.premultiply(p),o.extractRotation(r),A.halfWidth.set(v.width*.5,0,0),A.halfHeight.set(0,v.height*.5,0),A.halfWidth.applyMatrix4(o),A.halfHeight.applyMatrix4(o),x++}else if(v.isPointLight){let A=i.point[f];A.position.setFromMatrixPosition(v.matrixWorld),A.position.applyMatrix4(p),f++}else if(v.isHemisphereLight){let A=i.hemi[g];A.direction.setFromMatrixPosition(v.matrixWorld),A.direction.transformDirection(p),g++}}}return{setup:a,setupView:l,state:i}}function S_(s){let t=new bA(s),e=[],i=[],n=[];function r(u){h.camera=u,e.length=0,i.length=0,n.length=0}function o(u){u.isLightProbeGrid?n.push(u):e.push(u)}function a(u){i.push(u)}function l(){t.setup(e),n.sort((u,d)=>u.priority-d.priority||u.id-d.id)}function c(u){t.setupView(e,u)}let h={lightsArray:e,shadowsArray:i,lightProbeGridArray:n,camera:null,lights:t,transmissionRenderTarget:{},textureUnits:0};return{init:r,state:h,setupLights:l,setupLightsView:c,pushLight:o,pushShadow:a}}function SA(s){let t=new WeakMap;function e(n,r=0){let o=t.get(n),a;return o===void 0?(a=new S_(s),t.set(n,[a])):r>=o.length?(a=new S_(s),o.push(a)):a=o[r],a}function i(){t=new WeakMap}return{get:e,dispose:i}}var MA=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,wA=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ).rg;
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ).r;
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( max( 0.0, squared_mean - mean * mean ) );
	gl_FragColor = vec4( mean, std_dev, 0.0, 1.0 );
}`,TA=[new V(1,0,0),new V(-1,0,0),new V(0,1,0),new V(0,-1,0),new V(0,0,1),new V(0,0,-1)],AA=[new V(0,-1,0),new V(0,-1,0),new V(0,0,1),new V(0,0,-1),new V(0,-1,0),new V(0,-1,0)],M_=new Jt,xl=new V,Wf=new V;function EA(s,t,e){let i=new tr,n=new $t,r=new $t,o=new Ue,a=new rh,l=new oh,c={},h=e.maxTextureSize,u={[fs]:rn,[rn]:fs,[Nn]:Nn},d=new hs({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new $t},radius:{value:4}},vertexShader:MA,fragmentShader:wA}),f=d.clone();f.defines.HORIZONTAL_PASS=1;let m=new ke;m.setAttribute("position",new Ui(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let x=new Ge(m,d),g=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=ll;let p=this.type;this.render=function(S,y,M){if(g.enabled===!1||g.autoUpdate===!1&&g.needsUpdate===!1||S.length===0)return;this.type===u0&&(jt("WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead."),this.type=ll);let I=s.getRenderTarget(),P=s.getActiveCubeFace(),R=s.getActiveMipmapLevel(),U=s.state;U.setBlending(zr),U.buffers.depth.getReversed()===!0?U.buffers.color.setClear(0,0,0,0):U.buffers.color.setClear(1,1,1,1),U.buffers.depth.setTest(!0),U.setScissorTest(!1);let O=p!==this.type;O&&y.traverse(function(L){L.material&&(Array.isArray(L.material)?L.material.forEach(H=>H.needsUpdate=!0):L.material.needsUpdate=!0)});for(let L=0,H=S.length;L<H;L++){let k=S[L],G=k.shadow;if(G===void 0){jt("WebGLShadowMap:",k,"has no shadow.");continue}if(G.autoUpdate===!1&&G.needsUpdate===!1)continue;n.copy(G.mapSize);let it=G.getFrameExtents();n.multiply(it),r.copy(G.mapSize),(n.x>h||n.y>h)&&(n.x>h&&(r.x=Math.floor(h/it.x),n.x=r.x*it.x,G.mapSize.x=r.x),n.y>h&&(r.y=Math.floor(h/it.y),n.y=r.y*it.y,G.mapSize.y=r.y));let Y=s.state.buffers.depth.getReversed();if(G.camera._reversedDepth=Y,G.map===null||O===!0){if(G.map!==null&&(G.map.depthTexture!==null&&(G.map.depthTexture.dispose(),G.map.depthTexture=null),G.map.dispose()),this.type===$o){if(k.isPointLight){jt("WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.");continue}G.map=new Mn(n.x,n.y,{format:lr,type:Zn,minFilter:Di,magFilter:Di,generateMipmaps:!1}),G.map.texture.name=k.name+".shadowMap",G.map.depthTexture=new Us(n.x,n.y,Dn),G.map.depthTexture.name=k.name+".shadowMapDepth",G.map.depthTexture.format=Ns,G.map.depthTexture.compareFunction=null,G.map.depthTexture.minFilter=Fi,G.map.depthTexture.magFilter=Fi}else k.isPointLight?(G.map=new vl(n.x),G.map.depthTexture=new qa(n.x,Jn)):(G.map=new Mn(n.x,n.y),G.map.depthTexture=new Us(n.x,n.y,Jn)),G.map.depthTexture.name=k.name+".shadowMap",G.map.depthTexture.format=Ns,this.type===ll?(G.map.depthTexture.compareFunction=Y?Nf:If,G.map.depthTexture.minFilter=Di,G.map.depthTexture.magFilter=Di):(G.map.depthTexture.compareFunction=null,G.map.depthTexture.minFilter=Fi,G.map.depthTexture.magFilter=Fi);G.camera.updateProjectionMatrix()}G.map.isWebGLCubeRenderTarget!==!0&&(G.map.width!==n.x||G.map.height!==n.y)&&G.map.setSize(n.x,n.y);let J=G.map.isWebGLCubeRenderTarget?6:G.getViewportCount();k.isPointLight!==!0&&G.updateMatrices(k,M);let Q=(G.camera.layers.mask&4294967294)!==0?G.camera.layers:M.layers;for(let ct=0;ct<J;ct++){let nt=G.getCamera(ct);if(k.isPointLight){let q=G.camera,st=G.matrix,et=k.distance||q.far;et!==q.far&&(q.far=et,q.updateProjectionMatrix()),xl.setFromMatrixPosition(k.matrixWorld),q.position.copy(xl),Wf.copy(q.position),Wf.add(TA[ct]),q.up.copy(AA[ct]),q.lookAt(Wf),q.updateMatrixWorld(),st.makeTranslation(-xl.x,-xl.y,-xl.z),M_.multiplyMatrices(q.projectionMatrix,q.matrixWorldInverse),G._frustum.setFromProjectionMatrix(M_,q.coordinateSystem,q.reversedDepth)}if(G.map.isWebGLCubeRenderTarget)s.setRenderTarget(G.map,ct),s.clear();else{ct===0&&(s.setRenderTarget(G.map),s.clear());let q=G.getViewport(ct);o.set(r.x*q.x,r.y*q.y,r.x*q.z,r.y*q.w),U.viewport(o)}i=G.getFrustum(ct),v(y,M,nt,k,Q,this.type)}G.isPointLightShadow!==!0&&this.type===$o&&_(G,M),G.needsUpdate=!1}p=this.type,g.needsUpdate=!1,s.setRenderTarget(I,P,R)};function _(S,y){let M=t.update(x);d.defines.VSM_SAMPLES!==S.blurSamples&&(d.defines.VSM_SAMPLES=S.blurSamples,f.defines.VSM_SAMPLES=S.blurSamples,d.needsUpdate=!0,f.needsUpdate=!0),S.mapPass===null?S.mapPass=new Mn(n.x,n.y,{format:lr,type:Zn}):(S.mapPass.width!==S.map.width||S.mapPass.height!==S.map.height)&&S.mapPass.setSize(S.map.width,S.map.height),d.uniforms.shadow_pass.value=S.map.depthTexture,d.uniforms.resolution.value.set(S.map.width,S.map.height),d.uniforms.radius.value=S.radius,s.setRenderTarget(S.mapPass),s.clear(),s.renderBufferDirect(y,null,M,d,x,null),f.uniforms.shadow_pass.value=S.mapPass.texture,f.uniforms.resolution.value.set(S.map.width,S.map.height),f.uniforms.radius.value=S.radius,s.setRenderTarget(S.map),s.clear(),s.renderBufferDirect(y,null,M,f,x,null)}function w(S,y,M,I){let P=null,R=M.isPointLight===!0?S.customDistanceMaterial:S.customDepthMaterial;if(R!==void 0)P=R;else if(P=M.isPointLight===!0?l:a,s.localClippingEnabled&&y.clipShadows===!0&&Array.isArray(y.clippingPlanes)&&y.clippingPlanes.length!==0||y.displacementMap&&y.displacementScale!==0||y.alphaMap&&y.alphaTest>0||y.map&&y.alphaTest>0||y.alphaToCoverage===!0){let U=P.uuid,O=y.uuid,L=c[U];L===void 0&&(L={},c[U]=L);let H=L[O];H===void 0&&(H=P.clone(),L[O]=H,y.addEventListener("dispose",A)),P=H}if(P.visible=y.visible,P.wireframe=y.wireframe,I===$o?P.side=y.shadowSide!==null?y.shadowSide:y.side:P.side=y.shadowSide!==null?y.shadowSide:u[y.side],P.alphaMap=y.alphaMap,P.alphaTest=y.alphaToCoverage===!0?.5:y.alphaTest,P.map=y.map,P.clipShadows=y.clipShadows,P.clippingPlanes=y.clippingPlanes,P.clipIntersection=y.clipIntersection,P.displacementMap=y.displacementMap,P.displacementScale=y.displacementScale,P.displacementBias=y.displacementBias,P.wireframeLinewidth=y.wireframeLinewidth,P.linewidth=y.linewidth,M.isPointLight===!0&&P.isMeshDistanceMaterial===!0){let U=s.properties.get(P);U.light=M}return P}function v(S,y,M,I,P,R){if(S.visible===!1)return;if(S.layers.test(P)&&(S.isMesh||S.isLine||S.isPoints)&&(S.castShadow||S.receiveShadow&&R===$o)&&(!S.frustumCulled||S.intersectsFrustum(i))){S.modelViewMatrix.multiplyMatrices(M.matrixWorldInverse,S.matrixWorld);let L=t.update(S),H=S.material;if(Array.isArray(H)){let k=L.groups;for(let G=0,it=k.length;G<it;G++){let Y=k[G],J=H[Y.materialIndex];if(J&&J.visible){let Q=w(S,J,I,R);S.onBeforeShadow(s,S,y,M,L,Q,Y),s.renderBufferDirect(M,null,L,Q,S,Y),S.onAfterShadow(s,S,y,M,L,Q,Y)}}}else if(H.visible){let k=w(S,H,I,R);S.onBeforeShadow(s,S,y,M,L,k,null),s.renderBufferDirect(M,null,L,k,S,null),S.onAfterShadow(s,S,y,M,L,k,null)}}let O=S.children;for(let L=0,H=O.length;L<H;L++)v(O[L],y,M,I,P,R)}function A(S){S.target.removeEventListener("dispose",A);for(let M in c){let I=c[M],P=S.target.uuid;P in I&&(I[P].dispose(),delete I[P])}}}function CA(s,t){function e(){let B=!1,ht=new Ue,ot=null,Tt=new Ue(0,0,0,0);return{setMask:function(yt){ot!==yt&&!B&&(s.colorMask(yt,yt,yt,yt),ot=yt)},setLocked:function(yt){B=yt},setClear:function(yt,Mt,Xt,ee,pt){pt===!0&&(yt*=ee,Mt*=ee,Xt*=ee),ht.set(yt,Mt,Xt,ee),Tt.equals(ht)===!1&&(s.clearColor(yt,Mt,Xt,ee),Tt.copy(ht))},reset:function(){B=!1,ot=null,Tt.set(-1,0,0,0)}}}function i(){let B=!1,ht=!1,ot=null,Tt=null,yt=null;return{setReversed:function(Mt){if(ht!==Mt){let Xt=t.get("EXT_clip_control");Mt?Xt.clipControlEXT(Xt.LOWER_LEFT_EXT,Xt.ZERO_TO_ONE_EXT):Xt.clipControlEXT(Xt.LOWER_LEFT_EXT,Xt.NEGATIVE_ONE_TO_ONE_EXT),ht=Mt;let ee=yt;yt=null,this.setClear(ee)}},getReversed:function(){return ht},setTest:function(Mt){Mt?gt(s.DEPTH_TEST):Ut(s.DEPTH_TEST)},setMask:function(Mt){ot!==Mt&&!B&&(s.depthMask(Mt),ot=Mt)},setFunc:function(Mt){if(ht&&(Mt=Y0[Mt]),Tt!==Mt){switch(Mt){case Gc:s.depthFunc(s.NEVER);break;case Hc:s.depthFunc(s.ALWAYS);break;case Wc:s.depthFunc(s.LESS);break;case No:s.depthFunc(s.LEQUAL);break;case Xc:s.depthFunc(s.EQUAL);break;case qc:s.depthFunc(s.GEQUAL);break;case Yc:s.depthFunc(s.GREATER);break;case jc:s.depthFunc(s.NOTEQUAL);break;default:s.depthFunc(s.LEQUAL)}Tt=Mt}},setLocked:function(Mt){B=Mt},setClear:function(Mt){yt!==Mt&&(yt=Mt,ht&&(Mt=1-Mt),s.clearDepth(Mt))},reset:function(){B=!1,ot=null,Tt=null,yt=null,ht=!1}}}function n(){let B=!1,ht=null,ot=null,Tt=null,yt=null,Mt=null,Xt=null,ee=null,pt=null;return{setTest:function(Bt){B||(Bt?gt(s.STENCIL_TEST):Ut(s.STENCIL_TEST))},setMask:function(Bt){ht!==Bt&&!B&&(s.stencilMask(Bt),ht=Bt)},setFunc:function(Bt,ie,Ct){(ot!==Bt||Tt!==ie||yt!==Ct)&&(s.stencilFunc(Bt,ie,Ct),ot=Bt,Tt=ie,yt=Ct)},setOp:function(Bt,ie,Ct){(Mt!==Bt||Xt!==ie||ee!==Ct)&&(s.stencilOp(Bt,ie,Ct),Mt=Bt,Xt=ie,ee=Ct)},setLocked:function(Bt){B=Bt},setClear:function(Bt){pt!==Bt&&(s.clearStencil(Bt),pt=Bt)},reset:function(){B=!1,ht=null,ot=null,Tt=null,yt=null,Mt=null,Xt=null,ee=null,pt=null}}}let r=new e,o=new i,a=new n,l={},c=new WeakMap,h={},u={},d={},f=new WeakMap,m=[],x=null,g=!1,p=null,_=null,w=null,v=null,A=null,S=null,y=null,M=new qt(0,0,0),I=0,P=!1,R=null,U=null,O=null,L=null,H=null,k=s.getParameter(s.MAX_COMBINED_TEXTURE_IMAGE_UNITS),G=!1,it=0,Y=s.getParameter(s.VERSION);Y.indexOf("WebGL")!==-1?(it=parseFloat(/^WebGL (\d)/.exec(Y)[1]),G=it>=1):Y.indexOf("OpenGL ES")!==-1&&(it=parseFloat(/^OpenGL ES (\d)/.exec(Y)[1]),G=it>=2);let J=null,Q={},ct=s.getParameter(s.SCISSOR_BOX),nt=s.getParameter(s.VIEWPORT),q=new Ue().fromArray(ct),st=new Ue().fromArray(nt);function et(B,ht,ot,Tt){let yt=new Uint8Array(4),Mt=s.createTexture();s.bindTexture(B,Mt),s.texParameteri(B,s.TEXTURE_MIN_FILTER,s.NEAREST),s.texParameteri(B,s.TEXTURE_MAG_FILTER,s.NEAREST);for(let Xt=0;Xt<ot;Xt++)B===s.TEXTURE_3D||B===s.TEXTURE_2D_ARRAY?s.texImage3D(ht,0,s.RGBA,1,1,Tt,0,s.RGBA,s.UNSIGNED_BYTE,yt):s.texImage2D(ht+Xt,0,s.RGBA,1,1,0,s.RGBA,s.UNSIGNED_BYTE,yt);return Mt}let at={};at[s.TEXTURE_2D]=et(s.TEXTURE_2D,s.TEXTURE_2D,1),at[s.TEXTURE_CUBE_MAP]=et(s.TEXTURE_CUBE_MAP,s.TEXTURE_CUBE_MAP_POSITIVE_X,6),at[s.TEXTURE_2D_ARRAY]=et(s.TEXTURE_2D_ARRAY,s.TEXTURE_2D_ARRAY,1,1),at[s.TEXTURE_3D]=et(s.TEXTURE_3D,s.TEXTURE_3D,1,1),r.setClear(0,0,0,1),o.setClear(1),a.setClear(0),gt(s.DEPTH_TEST),o.setFunc(No),ui(!1),Fe(hf),gt(s.CULL_FACE),Ze(zr);function gt(B){h[B]!==!0&&(s.enable(B),h[B]=!0)}function Ut(B){h[B]!==!1&&(s.disable(B),h[B]=!1)}function Kt(B,ht){return d[B]!==ht?(s.bindFramebuffer(B,ht),d[B]=ht,B===s.DRAW_FRAMEBUFFER&&(d[s.FRAMEBUFFER]=ht),B===s.FRAMEBUFFER&&(d[s.DRAW_FRAMEBUFFER]=ht),!0):!1}function kt(B,ht){let ot=m,Tt=!1;if(B){ot=f.get(ht),ot===void 0&&(ot=[],f.set(ht,ot));let yt=B.textures;if(ot.length!==yt.length||ot[0]!==s.COLOR_ATTACHMENT0){for(let Mt=0,Xt=yt.length;Mt<Xt;Mt++)ot[Mt]=s.COLOR_ATTACHMENT0+Mt;ot.length=yt.length,Tt=!0}}else ot[0]!==s.BACK&&(ot[0]=s.BACK,Tt=!0);Tt&&s.drawBuffers(ot)}function me(B){return x!==B?(s.useProgram(B),x=B,!0):!1}let de={[Vr]:s.FUNC_ADD,[f0]:s.FUNC_SUBTRACT,[p0]:s.FUNC_REVERSE_SUBTRACT};de[m0]=s.MIN,de[g0]=s.MAX;let ae={[_0]:s.ZERO,[x0]:s.ONE,[y0]:s.SRC_COLOR,[pf]:s.SRC_ALPHA,[T0]:s.SRC_ALPHA_SATURATE,[M0]:s.DST_COLOR,[b0]:s.DST_ALPHA,[v0]:s.ONE_MINUS_SRC_COLOR,[mf]:s.ONE_MINUS_SRC_ALPHA,[w0]:s.ONE_MINUS_DST_COLOR,[S0]:s.ONE_MINUS_DST_ALPHA,[A0]:s.CONSTANT_COLOR,[E0]:s.ONE_MINUS_CONSTANT_COLOR,[C0]:s.CONSTANT_ALPHA,[R0]:s.ONE_MINUS_CONSTANT_ALPHA};function Ze(B,ht,ot,Tt,yt,Mt,Xt,ee,pt,Bt){if(B===zr){g===!0&&(Ut(s.BLEND),g=!1);return}if(g===!1&&(gt(s.BLEND),g=!0),B!==d0){if(B!==p||Bt!==P){if((_!==Vr||A!==Vr)&&(s.blendEquation(s.FUNC_ADD),_=Vr,A=Vr),Bt)switch(B){case Jo:s.blendFuncSeparate(s.ONE,s.ONE_MINUS_SRC_ALPHA,s.ONE,s.ONE_MINUS_SRC_ALPHA);break;case uf:s.blendFunc(s.ONE,s.ONE);break;case df:s.blendFuncSeparate(s.ZERO,s.ONE_MINUS_SRC_COLOR,s.ZERO,s.ONE);break;case ff:s.blendFuncSeparate(s.DST_COLOR,s.ONE_MINUS_SRC_ALPHA,s.ZERO,s.ONE);break;default:ne("WebGLState: Invalid blending: ",B);break}else switch(B){case Jo:s.blendFuncSeparate(s.SRC_ALPHA,s.ONE_MINUS_SRC_ALPHA,s.ONE,s.ONE_MINUS_SRC_ALPHA);break;case uf:s.blendFuncSeparate(s.SRC_ALPHA,s.ONE,s.ONE,s.ONE);break;case df:ne("WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true");break;case ff:ne("WebGLState: MultiplyBlending requires material.premultipliedAlpha = true");break;default:ne("WebGLState: Invalid blending: ",B);break}w=null,v=null,S=null,y=null,M.set(0,0,0),I=0,p=B,P=Bt}return}yt=yt||ht,Mt=Mt||ot,Xt=Xt||Tt,(ht!==_||yt!==A)&&(s.blendEquationSeparate(de[ht],de[yt]),_=ht,A=yt),(ot!==w||Tt!==v||Mt!==S||Xt!==y)&&(s.blendFuncSeparate(ae[ot],ae[Tt],ae[Mt],ae[Xt]),w=ot,v=Tt,S=Mt,y=Xt),(ee.equals(M)===!1||pt!==I)&&(s.blendColor(ee.r,ee.g,ee.b,pt),M.copy(ee),I=pt),p=B,P=!1}function He(B,ht){B.side===Nn?Ut(s.CULL_FACE):gt(s.CULL_FACE);let ot=B.side===rn;ht&&(ot=!ot),ui(ot),B.blending===Jo&&B.transparent===!1?Ze(zr):Ze(B.blending,B.blendEquation,B.blendSrc,B.blendDst,B.blendEquationAlpha,B.blendSrcAlpha,B.blendDstAlpha,B.blendColor,B.blendAlpha,B.premultipliedAlpha),o.setFunc(B.depthFunc),o.setTest(B.depthTest),o.setMask(B.depthWrite),r.setMask(B.colorWrite);let Tt=B.stencilWrite;a.setTest(Tt),Tt&&(a.setMask(B.stencilWriteMask),a.setFunc(B.stencilFunc,B.stencilRef,B.stencilFuncMask),a.setOp(B.stencilFail,B.stencilZFail,B.stencilZPass)),Se(B.polygonOffset,B.polygonOffsetFactor,B.polygonOffsetUnits),B.alphaToCoverage===!0?gt(s.SAMPLE_ALPHA_TO_COVERAGE):Ut(s.SAMPLE_ALPHA_TO_COVERAGE)}function ui(B){R!==B&&(B?s.frontFace(s.CW):s.frontFace(s.CCW),R=B)}function Fe(B){B!==c0?(gt(s.CULL_FACE),B!==U&&(B===hf?s.cullFace(s.BACK):B===h0?s.cullFace(s.FRONT):s.cullFace(s.FRONT_AND_BACK))):Ut(s.CULL_FACE),U=B}function Ei(B){B!==O&&(G&&s.lineWidth(B),O=B)}function Se(B,ht,ot){B?(gt(s.POLYGON_OFFSET_FILL),(L!==ht||H!==ot)&&(L=ht,H=ot,o.getReversed()&&(ht=-ht,ot=-ot),s.polygonOffset(ht,ot))):Ut(s.POLYGON_OFFSET_FILL)}function vi(B){B?gt(s.SCISSOR_TEST):Ut(s.SCISSOR_TEST)}function ni(B){B===void 0&&(B=s.TEXTURE0+k-1),J!==B&&(s.activeTexture(B),J=B)}function di(B,ht,ot){ot===void 0&&(J===null?ot=s.TEXTURE0+k-1:ot=J);let Tt=Q[ot];Tt===void 0&&(Tt={type:void 0,texture:void 0},Q[ot]=Tt),(Tt.type!==B||Tt.texture!==ht)&&(J!==ot&&(s.activeTexture(ot),J=ot),s.bindTexture(B,ht||at[B]),Tt.type=B,Tt.texture=ht)}function z(){let B=Q[J];B!==void 0&&B.type!==void 0&&(s.bindTexture(B.type,null),B.type=void 0,B.texture=void 0)}function Rt(){try{s.compressedTexImage2D(...arguments)}catch(B){ne("WebGLState:",B)}}function Qt(){try{s.compressedTexImage3D(...arguments)}catch(B){ne("WebGLState:",B)}}function ce(){try{s.texSubImage2D(...arguments)}catch(B){ne("WebGLState:",B)}}function wt(){try{s.texSubImage3D(...arguments)}catch(B){ne("WebGLState:",B)}}function Be(){try{s.compressedTexSubImage2D(...arguments)}catch(B){ne("WebGLState:",B)}}function Ht(){try{s.compressedTexSubImage3D(...arguments)}catch(B){ne("WebGLState:",B)}}function Zt(){try{s.texStorage2D(...arguments)}catch(B){ne("WebGLState:",B)}}function N(){try{s.texStorage3D(...arguments)}catch(B){ne("WebGLState:",B)}}function T(){try{s.texImage2D(...arguments)}catch(B){ne("WebGLState:",B)}}function j(){try{s.texImage3D(...arguments)}catch(B){ne("WebGLState:",B)}}function mt(B){return u[B]!==void 0?u[B]:s.getParameter(B)}function ut(B,ht){u[B]!==ht&&(s.pixelStorei(B,ht),u[B]=ht)}function vt(B){q.equals(B)===!1&&(s.scissor(B.x,B.y,B.z,B.w),q.copy(B))}function bt(B){st.equals(B)===!1&&(s.viewport(B.x,B.y,B.z,B.w),st.copy(B))}function rt(B,ht){let ot=c.get(ht);ot===void 0&&(ot=new WeakMap,c.set(ht,ot));let Tt=ot.get(B);Tt===void 0&&(Tt=s.getUniformBlockIndex(ht,B.name),s.uniformBlockBinding(ht,Tt,Tt),ot.set(B,Tt))}function lt(B,ht,ot){let yt=c.get(ht).get(B);l[yt]!==ot&&(s.bindBufferBase(s.UNIFORM_BUFFER,yt,ot),l[yt]=ot)}function xt(){s.disable(s.BLEND),s.disable(s.CULL_FACE),s.disable(s.DEPTH_TEST),s.disable(s.POLYGON_OFFSET_FILL),s.disable(s.SCISSOR_TEST),s.disable(s.STENCIL_TEST),s.disable(s.SAMPLE_ALPHA_TO_COVERAGE),s.blendEquation(s.FUNC_ADD),s.blendFunc(s.ONE,s.ZERO),s.blendFuncSeparate(s.ONE,s.ZERO,s.ONE,s.ZERO),s.blendColor(0,0,0,0),s.colorMask(!0,!0,!0,!0),s.clearColor(0,0,0,0),s.depthMask(!0),s.depthFunc(s.LESS),o.setReversed(!1),s.clearDepth(1),s.stencilMask(4294967295),s.stencilFunc(s.ALWAYS,0,4294967295),s.stencilOp(s.KEEP,s.KEEP,s.KEEP),s.clearStencil(0),s.cullFace(s.BACK),s.frontFace(s.CCW),s.polygonOffset(0,0),s.activeTexture(s.TEXTURE0),s.bindFramebuffer(s.FRAMEBUFFER,null),s.bindFramebuffer(s.DRAW_FRAMEBUFFER,null),s.bindFramebuffer(s.READ_FRAMEBUFFER,null),s.useProgram(null),s.lineWidth(1),s.scissor(0,0,s.canvas.width,s.canvas.height),s.viewport(0,0,s.canvas.width,s.canvas.height),s.pixelStorei(s.PACK_ALIGNMENT,4),s.pixelStorei(s.UNPACK_ALIGNMENT,4),s.pixelStorei(s.UNPACK_FLIP_Y_WEBGL,!1),s.pixelStorei(s.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),s.pixelStorei(s.UNPACK_COLORSPACE_CONVERSION_WEBGL,s.BROWSER_DEFAULT_WEBGL),s.pixelStorei(s.PACK_ROW_LENGTH,0),s.pixelStorei(s.PACK_SKIP_PIXELS,0),s.pixelStorei(s.PACK_SKIP_ROWS,0),s.pixelStorei(s.UNPACK_ROW_LENGTH,0),s.pixelStorei(s.UNPACK_IMAGE_HEIGHT,0),s.pixelStorei(s.UNPACK_SKIP_PIXELS,0),s.pixelStorei(s.UNPACK_SKIP_ROWS,0),s.pixelStorei(s.UNPACK_SKIP_IMAGES,0),h={},u={},J=null,Q={},d={},l={},f=new WeakMap,m=[],x=null,g=!1,p=null,_=null,w=null,v=null,A=null,S=null,y=null,M=new qt(0,0,0),I=0,P=!1,R=null,U=null,O=null,L=null,H=null,q.set(0,0,s.canvas.width,s.canvas.height),st.set(0,0,s.canvas.width,s.canvas.height),r.reset(),o.reset(),a.reset()}return{buffers:{color:r,depth:o,stencil:a},enable:gt,disable:Ut,bindFramebuffer:Kt,drawBuffers:kt,useProgram:me,setBlending:Ze,setMaterial:He,setFlipSided:ui,setCullFace:Fe,setLineWidth:Ei,setPolygonOffset:Se,setScissorTest:vi,activeTexture:ni,bindTexture:di,unbindTexture:z,compressedTexImage2D:Rt,compressedTexImage3D:Qt,texImage2D:T,texImage3D:j,pixelStorei:ut,getParameter:mt,updateUBOMapping:rt,uniformBlockBinding:lt,texStorage2D:Zt,texStorage3D:N,texSubImage2D:ce,texSubImage3D:wt,compressedTexSubImage2D:Be,compressedTexSubImage3D:Ht,scissor:vt,viewport:bt,reset:xt}}function RA(s,t,e,i,n,r,o){let a=t.has("WEBGL_multisampled_render_to_texture")?t.get("WEBGL_multisampled_render_to_texture"):null,l=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),c=new $t,h=new WeakMap,u=new Set,d,f=new WeakMap,m=new Set,x=new FinalizationRegistry(N=>m.delete(N)),g=!1;try{g=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function p(N,T){return g?new OffscreenCanvas(N,T):Do("canvas")}function _(N,T,j){let mt=1,ut=Zt(N);if((ut.width>j||ut.height>j)&&(mt=j/Math.max(ut.width,ut.height)),mt<1)if(typeof HTMLImageElement<"u"&&N instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&N instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&N instanceof ImageBitmap||typeof VideoFrame<"u"&&N instanceof VideoFrame){let vt=Math.floor(mt*ut.width),bt=Math.floor(mt*ut.height);d===void 0&&(d=p(vt,bt));let rt=T?p(vt,bt):d;return rt.width=vt,rt.height=bt,rt.getContext("2d").drawImage(N,0,0,vt,bt),jt("WebGLRenderer: Texture has been resized from ("+ut.width+"x"+ut.height+") to ("+vt+"x"+bt+")."),rt}else return"data"in N&&jt("WebGLRenderer: Image in DataTexture is too big ("+ut.width+"x"+ut.height+")."),N;return N}function w(N){return N.generateMipmaps}function v(N){s.generateMipmap(N)}function A(N){return N.isWebGLCubeRenderTarget?s.TEXTURE_CUBE_MAP:N.isWebGL3DRenderTarget?s.TEXTURE_3D:N.isWebGLArrayRenderTarget||N.isCompressedArrayTexture?s.TEXTURE_2D_ARRAY:s.TEXTURE_2D}function S(N,T,j,mt,ut,vt=!1){if(N!==null){if(s[N]!==void 0)return s[N];jt("WebGLRenderer: Attempt to use non-existing WebGL internal format '"+N+"'")}let bt;mt&&(bt=t.get("EXT_texture_norm16"),bt||jt("WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension"));let rt=T;if(T===s.RED&&(j===s.FLOAT&&(rt=s.R32F),j===s.HALF_FLOAT&&(rt=s.R16F),j===s.UNSIGNED_BYTE&&(rt=s.R8),j===s.UNSIGNED_SHORT&&bt&&(rt=bt.R16_EXT),j===s.SHORT&&bt&&(rt=bt.R16_SNORM_EXT)),T===s.RED_INTEGER&&(j===s.UNSIGNED_BYTE&&(rt=s.R8UI),j===s.UNSIGNED_SHORT&&(rt=s.R16UI),j===s.UNSIGNED_INT&&(rt=s.R32UI),j===s.BYTE&&(rt=s.R8I),j===s.SHORT&&(rt=s.R16I),j===s.INT&&(rt=s.R32I)),T===s.RG&&(j===s.FLOAT&&(rt=s.RG32F),j===s.HALF_FLOAT&&(rt=s.RG16F),j===s.UNSIGNED_BYTE&&(rt=s.RG8),j===s.UNSIGNED_SHORT&&bt&&(rt=bt.RG16_EXT),j===s.SHORT&&bt&&(rt=bt.RG16_SNORM_EXT)),T===s.RG_INTEGER&&(j===s.UNSIGNED_BYTE&&(rt=s.RG8UI),j===s.UNSIGNED_SHORT&&(rt=s.RG16UI),j===s.UNSIGNED_INT&&(rt=s.RG32UI),j===s.BYTE&&(rt=s.RG8I),j===s.SHORT&&(rt=s.RG16I),j===s.INT&&(rt=s.RG32I)),T===s.RGB_INTEGER&&(j===s.UNSIGNED_BYTE&&(rt=s.RGB8UI),j===s.UNSIGNED_SHORT&&(rt=s.RGB16UI),j===s.UNSIGNED_INT&&(rt=s.RGB32UI),j===s.BYTE&&(rt=s.RGB8I),j===s.SHORT&&(rt=s.RGB16I),j===s.INT&&(rt=s.RGB32I)),T===s.RGBA_INTEGER&&(j===s.UNSIGNED_BYTE&&(rt=s.RGBA8UI),j===s.UNSIGNED_SHORT&&(rt=s.RGBA16UI),j===s.UNSIGNED_INT&&(rt=s.RGBA32UI),j===s.BYTE&&(rt=s.RGBA8I),j===s.SHORT&&(rt=s.RGBA16I),j===s.INT&&(rt=s.RGBA32I)),T===s.RGB&&(j===s.UNSIGNED_SHORT&&bt&&(rt=bt.RGB16_EXT),j===s.SHORT&&bt&&(rt=bt.RGB16_SNORM_EXT),j===s.UNSIGNED_INT_5_9_9_9_REV&&(rt=s.RGB9_E5),j===s.UNSIGNED_INT_10F_11F_11F_REV&&(rt=s.R11F_G11F_B10F)),T===s.RGBA){let lt=vt?ka:ue.getTransfer(ut);j===s.FLOAT&&(rt=s.RGBA32F),j===s.HALF_FLOAT&&(rt=s.RGBA16F),j===s.UNSIGNED_BYTE&&(rt=lt===Re?s.SRGB8_ALPHA8:s.RGBA8),j===s.UNSIGNED_SHORT&&bt&&(rt=bt.RGBA16_EXT),j===s.SHORT&&bt&&(rt=bt.RGBA16_SNORM_EXT),j===s.UNSIGNED_SHORT_4_4_4_4&&(rt=s.RGBA4),j===s.UNSIGNED_SHORT_5_5_5_1&&(rt=s.RGB5_A1)}return(rt===s.R16F||rt===s.R32F||rt===s.RG16F||rt===s.RG32F||rt===s.RGBA16F||rt===s.RGBA32F)&&t.get("EXT_color_buffer_float"),rt}function y(N,T){let j;return N?T===null||T===Jn||T===Hr?j=s.DEPTH24_STENCIL8:T===Dn?j=s.DEPTH32F_STENCIL8:T===Ko&&(j=s.DEPTH24_STENCIL8,jt("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):T===null||T===Jn||T===Hr?j=s.DEPTH_COMPONENT24:T===Dn?j=s.DEPTH_COMPONENT32F:T===Ko&&(j=s.DEPTH_COMPONENT16),j}function M(N,T){return w(N)===!0||N.isFramebufferTexture&&N.minFilter!==Fi&&N.minFilter!==Di?Math.log2(Math.max(T.width,T.height))+1:N.mipmaps.length>0?N.mipmaps.length:N.isCompressedTexture&&Array.isArray(N.image)?T.mipmaps.length:1}function I(N){let T=new WeakRef(N);i.get(N).__ref=T,m.add(T),x.register(N,T,T)}function P(N){let T=i.get(N).__ref;T!==void 0&&(m.delete(T),x.unregister(T))}function R(N){O(N.target)}function U(N){L(N.target)}function O(N){N.removeEventListener("dispose",R),P(N),k(N),N.isVideoTexture&&h.delete(N),N.isHTMLTexture&&u.delete(N)}function L(N){N.removeEventListener("dispose",U),P(N),it(N)}function H(){for(let N of m){let T=N.deref();T!==void 0&&(T.isRenderTarget===!0?L(T):O(T))}m.clear(),u.clear()}function k(N){let T=i.get(N);if(T.__webglInit===void 0)return;let j=N.source,mt=f.get(j);if(mt){let ut=mt[T.__cacheKey];ut.usedTimes--,ut.usedTimes===0&&G(N),Object.keys(mt).length===0&&f.delete(j)}i.remove(N)}function G(N){let T=i.get(N);s.deleteTexture(T.__webglTexture);let j=N.source,mt=f.get(j);delete mt[T.__cacheKey],o.memory.textures--}function it(N){let T=i.get(N);T.__depthDisposeCallback&&T.__depthDisposeCallback();let j=N.depthTexture;if(j&&j.renderTarget===N&&O(j),N.isWebGLCubeRenderTarget)for(let ut=0;ut<6;ut++){if(Array.isArray(T.__webglFramebuffer[ut]))for(let vt=0;vt<T.__webglFramebuffer[ut].length;vt++)s.deleteFramebuffer(T.__webglFramebuffer[ut][vt]);else s.deleteFramebuffer(T.__webglFramebuffer[ut]);T.__webglDepthbuffer&&s.deleteRenderbuffer(T.__webglDepthbuffer[ut])}else{if(Array.isArray(T.__webglFramebuffer))for(let ut=0;ut<T.__webglFramebuffer.length;ut++)s.deleteFramebuffer(T.__webglFramebuffer[ut]);else s.deleteFramebuffer(T.__webglFramebuffer);if(T.__webglDepthbuffer&&s.deleteRenderbuffer(T.__webglDepthbuffer),T.__webglMultisampledFramebuffer&&s.deleteFramebuffer(T.__webglMultisampledFramebuffer),T.__webglColorRenderbuffer)for(let ut=0;ut<T.__webglColorRenderbuffer.length;ut++)T.__webglColorRenderbuffer[ut]&&s.deleteRenderbuffer(T.__webglColorRenderbuffer[ut]);T.__webglDepthRenderbuffer&&s.deleteRenderbuffer(T.__webglDepthRenderbuffer)}let mt=N.textures;for(let ut=0,vt=mt.length;ut<vt;ut++){let bt=i.get(mt[ut]);bt.__webglTexture&&(s.deleteTexture(bt.__webglTexture),o.memory.textures--),i.remove(mt[ut])}i.remove(N)}let Y=0;function J(){Y=0}function Q(){return Y}function ct(N){Y=N}function nt(){let N=Y;return N>=n.maxTextures&&jt("WebGLTextures: Trying to use "+(N+1)+" texture units while this GPU supports only "+n.maxTextures),Y+=1,N}function q(N){let T=[];return T.push(N.wrapS),T.push(N.wrapT),T.push(N.wrapR||0),T.push(N.magFilter),T.push(N.minFilter),T.push(N.anisotropy),T.push(N.internalFormat),T.push(N.format),T.push(N.type),T.push(N.generateMipmaps),T.push(N.mipmapsAutoUpdate),T.push(N.premultiplyAlpha),T.push(N.flipY),T.push(N.unpackAlignment),T.push(N.colorSpace),T.join()}function st(N,T){let j=i.get(N);if(N.isVideoTexture&&Be(N),N.isRenderTargetTexture===!1&&N.isExternalTexture!==!0&&N.version>0&&j.__version!==N.version){let mt=N.image;if(mt===null)jt("WebGLRenderer: Texture marked for update but no image data found.");else if(mt.complete===!1)jt("WebGLRenderer: Texture marked for update but image is incomplete");else{He(j,N,T);return}}else N.isExternalTexture&&(j.__webglTexture=N.sourceTexture?N.sourceTexture:null);e.bindTexture(s.TEXTURE_2D,j.__webglTexture,s.TEXTURE0+T)}function et(N,T){let j=i.get(N);if(N.isRenderTargetTexture===!1&&N.version>0&&j.__version!==N.version){He(j,N,T);return}else N.isExternalTexture&&(j.__webglTexture=N.sourceTexture?N.sourceTexture:null);e.bindTexture(s.TEXTURE_2D_ARRAY,j.__webglTexture,s.TEXTURE0+T)}function at(N,T){let j=i.get(N);if(N.isRenderTargetTexture===!1&&N.version>0&&j.__version!==N.version){He(j,N,T);return}e.bindTexture(s.TEXTURE_3D,j.__webglTexture,s.TEXTURE0+T)}function gt(N,T){let j=i.get(N);if(N.version>0&&j.__version!==N.version){ui(j,N,T);return}e.bindTexture(s.TEXTURE_CUBE_MAP,j.__webglTexture,s.TEXTURE0+T)}let Ut={[Is]:s.REPEAT,[nn]:s.CLAMP_TO_EDGE,[$c]:s.MIRRORED_REPEAT},Kt={[Fi]:s.NEAREST,[L0]:s.NEAREST_MIPMAP_NEAREST,[hl]:s.NEAREST_MIPMAP_LINEAR,[Di]:s.LINEAR,[gh]:s.LINEAR_MIPMAP_NEAREST,[Ln]:s.LINEAR_MIPMAP_LINEAR},kt={[k0]:s.NEVER,[Lf]:s.ALWAYS,[B0]:s.LESS,[If]:s.LEQUAL,[z0]:s.EQUAL,[Nf]:s.GEQUAL,[V0]:s.GREATER,[G0]:s.NOTEQUAL};function me(N,T){if(T.type===Dn&&t.has("OES_texture_float_linear")===!1&&(T.magFilter===Di||T.magFilter===gh||T.magFilter===hl||T.magFilter===Ln||T.minFilter===Di||T.minFilter===gh||T.minFilter===hl||T.minFilter===Ln)&&jt("WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),s.texParameteri(N,s.TEXTURE_WRAP_S,Ut[T.wrapS]),s.texParameteri(N,s.TEXTURE_WRAP_T,Ut[T.wrapT]),(N===s.TEXTURE_3D||N===s.TEXTURE_2D_ARRAY)&&s.texParameteri(N,s.TEXTURE_WRAP_R,Ut[T.wrapR]),s.texParameteri(N,s.TEXTURE_MAG_FILTER,Kt[T.magFilter]),s.texParameteri(N,s.TEXTURE_MIN_FILTER,Kt[T.minFilter]),T.compareFunction&&(s.texParameteri(N,s.TEXTURE_COMPARE_MODE,s.COMPARE_REF_TO_TEXTURE),s.texParameteri(N,s.TEXTURE_COMPARE_FUNC,kt[T.compareFunction])),t.has("EXT_texture_filter_anisotropic")===!0){if(T.magFilter===Fi||T.minFilter!==hl&&T.minFilter!==Ln||T.type===Dn&&t.has("OES_texture_float_linear")===!1)return;if(T.anisotropy>1||i.get(T).__currentAnisotropy){let j=t.get("EXT_texture_filter_anisotropic");s.texParameterf(N,j.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(T.anisotropy,n.getMaxAnisotropy())),i.get(T).__currentAnisotropy=T.anisotropy}}}function de(N,T){let j=!1;N.__webglInit===void 0&&(N.__webglInit=!0,T.addEventListener("dispose",R),I(T));let mt=T.source,ut=f.get(mt);ut===void 0&&(ut={},f.set(mt,ut));let vt=q(T);if(vt!==N.__cacheKey){ut[vt]===void 0&&(ut[vt]={texture:s.createTexture(),usedTimes:0},o.memory.textures++,j=!0),ut[vt].usedTimes++;let bt=ut[N.__cacheKey];bt!==void 0&&(ut[N.__cacheKey].usedTimes--,bt.usedTimes===0&&G(T)),N.__cacheKey=vt,N.__webglTexture=ut[vt].texture}return j}function ae(N,T,j){return Math.floor(Math.floor(N/j)/T)}function Ze(N,T,j,mt){let vt=N.updateRanges;if(vt.length===0)e.texSubImage2D(s.TEXTURE_2D,0,0,0,T.width,T.height,j,mt,T.data);else{vt.sort((B,ht)=>B.start-ht.start);let bt=0;for(let B=1;B<vt.length;B++){let ht=vt[bt],ot=vt[B],Tt=ht.start+ht.count,yt=ae(ot.start,T.width,4),Mt=ae(ht.start,T.width,4);ot.start<=Tt+1&&yt===Mt&&ae(ot.start+ot.count-1,T.width,4)===yt?ht.count=Math.max(ht.count,ot.start+ot.count-ht.start):(++bt,vt[bt]=ot)}vt.length=bt+1;let rt=e.getParameter(s.UNPACK_ROW_LENGTH),lt=e.getParameter(s.UNPACK_SKIP_PIXELS),xt=e.getParameter(s.UNPACK_SKIP_ROWS);e.pixelStorei(s.UNPACK_ROW_LENGTH,T.width);for(let B=0,ht=vt.length;B<ht;B++){let ot=vt[B],Tt=Math.floor(ot.start/4),yt=Math.ceil(ot.count/4),Mt=Tt%T.width,Xt=Math.floor(Tt/T.width),ee=yt,pt=1;e.pixelStorei(s.UNPACK_SKIP_PIXELS,Mt),e.pixelStorei(s.UNPACK_SKIP_ROWS,Xt),e.texSubImage2D(s.TEXTURE_2D,0,Mt,Xt,ee,pt,j,mt,T.data)}N.clearUpdateRanges(),e.pixelStorei(s.UNPACK_ROW_LENGTH,rt),e.pixelStorei(s.UNPACK_SKIP_PIXELS,lt),e.pixelStorei(s.UNPACK_SKIP_ROWS,xt)}}function He(N,T,j){let mt=s.TEXTURE_2D;(T.isDataArrayTexture||T.isCompressedArrayTexture)&&(mt=s.TEXTURE_2D_ARRAY),T.isData3DTexture&&(mt=s.TEXTURE_3D);let ut=de(N,T),vt=T.source;e.bindTexture(mt,N.__webglTexture,s.TEXTURE0+j);let bt=i.get(vt);if(vt.version!==bt.__version||ut===!0){if(e.activeTexture(s.TEXTURE0+j),(typeof ImageBitmap<"u"&&T.image instanceof ImageBitmap)===!1){let pt=ue.getPrimaries(ue.workingColorSpace),Bt=T.colorSpace===Bs?null:ue.getPrimaries(T.colorSpace),ie=T.colorSpace===Bs||pt===Bt?s.NONE:s.BROWSER_DEFAULT_WEBGL;e.pixelStorei(s.UNPACK_FLIP_Y_WEBGL,T.flipY),e.pixelStorei(s.UNPACK_PREMULTIPLY_ALPHA_WEBGL,T.premultiplyAlpha),e.pixelStorei(s.UNPACK_COLORSPACE_CONVERSION_WEBGL,ie)}e.pixelStorei(s.UNPACK_ALIGNMENT,T.unpackAlignment);let lt=_(T.image,!1,n.maxTextureSize);lt=Ht(T,lt);let xt=r.convert(T.format,T.colorSpace),B=r.convert(T.type),ht=S(T.internalFormat,xt,B,T.normalized,T.colorSpace,T.isVideoTexture);me(mt,T);let ot,Tt=T.mipmaps,yt=T.isVideoTexture!==!0,Mt=bt.__version===void 0||ut===!0,Xt=vt.dataReady,ee=M(T,lt);if(T.isDepthTexture)ht=y(T.format===ks,T.type),Mt&&(yt?e.texStorage2D(s.TEXTURE_2D,1,ht,lt.width,lt.height):e.texImage2D(s.TEXTURE_2D,0,ht,lt.width,lt.height,0,xt,B,null));else if(T.isDataTexture)if(Tt.length>0){yt&&Mt&&e.texStorage2D(s.TEXTURE_2D,ee,ht,Tt[0].width,Tt[0].height);for(let pt=0,Bt=Tt.length;pt<Bt;pt++)ot=Tt[pt],yt?Xt&&e.texSubImage2D(s.TEXTURE_2D,pt,0,0,ot.width,ot.height,xt,B,ot.data):e.texImage2D(s.TEXTURE_2D,pt,ht,ot.width,ot.height,0,xt,B,ot.data);T.generateMipmaps=!1}else yt?(Mt&&e.texStorage2D(s.TEXTURE_2D,ee,ht,lt.width,lt.height),Xt&&Ze(T,lt,xt,B)):e.texImage2D(s.TEXTURE_2D,0,ht,lt.width,lt.height,0,xt,B,lt.data);else if(T.isCompressedTexture)if(T.isCompressedArrayTexture){yt&&Mt&&e.texStorage3D(s.TEXTURE_2D_ARRAY,ee,ht,Tt[0].width,Tt[0].height,lt.depth);for(let pt=0,Bt=Tt.length;pt<Bt;pt++)if(ot=Tt[pt],T.format!==Un)if(xt!==null)if(yt){if(Xt)if(T.layerUpdates.size>0){let ie=Gf(ot.width,ot.height,T.format,T.type);for(let Ct of T.layerUpdates){let he=ot.data.subarray(Ct*ie/ot.data.BYTES_PER_ELEMENT,(Ct+1)*ie/ot.data.BYTES_PER_ELEMENT);e.compressedTexSubImage3D(s.TEXTURE_2D_ARRAY,pt,0,0,Ct,ot.width,ot.height,1,xt,he)}}else e.compressedTexSubImage3D(s.TEXTURE_2D_ARRAY,pt,0,0,0,ot.width,ot.height,lt.depth,xt,ot.data)}else e.compressedTexImage3D(s.TEXTURE_2D_ARRAY,pt,ht,ot.width,ot.height,lt.depth,0,ot.data,0,0);else jt("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else yt?Xt&&e.texSubImage3D(s.TEXTURE_2D_ARRAY,pt,0,0,0,ot.width,ot.height,lt.depth,xt,B,ot.data):e.texImage3D(s.TEXTURE_2D_ARRAY,pt,ht,ot.width,ot.height,lt.depth,0,xt,B,ot.data);T.layerUpdates.size>0&&T.clearLayerUpdates()}else{yt&&Mt&&e.texStorage2D(s.TEXTURE_2D,ee,ht,Tt[0].width,Tt[0].height);for(let pt=0,Bt=Tt.length;pt<Bt;pt++)ot=Tt[pt],T.format!==Un?xt!==null?yt?Xt&&e.compressedTexSubImage2D(s.TEXTURE_2D,pt,0,0,ot.width,ot.height,xt,ot.data):e.compressedTexImage2D(s.TEXTURE_2D,pt,ht,ot.width,ot.height,0,ot.data):jt("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):yt?Xt&&e.texSubImage2D(s.TEXTURE_2D,pt,0,0,ot.width,ot.height,xt,B,ot.data):e.texImage2D(s.TEXTURE_2D,pt,ht,ot.width,ot.height,0,xt,B,ot.data)}else if(T.isDataArrayTexture)if(yt){if(Mt&&e.texStorage3D(s.TEXTURE_2D_ARRAY,ee,ht,lt.width,lt.height,lt.depth),Xt)if(T.layerUpdates.size>0){let pt=Gf(lt.width,lt.height,T.format,T.type);for(let Bt of T.layerUpdates){let ie=lt.data.subarray(Bt*pt/lt.data.BYTES_PER_ELEMENT,(Bt+1)*pt/lt.data.BYTES_PER_ELEMENT);e.texSubImage3D(s.TEXTURE_2D_ARRAY,0,0,0,Bt,lt.width,lt.height,1,xt,B,ie)}T.clearLayerUpdates()}else e.texSubImage3D(s.TEXTURE_2D_ARRAY,0,0,0,0,lt.width,lt.height,lt.depth,xt,B,lt.data)}else e.texImage3D(s.TEXTURE_2D_ARRAY,0,ht,lt.width,lt.height,lt.depth,0,xt,B,lt.data);else if(T.isData3DTexture)yt?(Mt&&e.texStorage3D(s.TEXTURE_3D,ee,ht,lt.width,lt.height,lt.depth),Xt&&e.texSubImage3D(s.TEXTURE_3D,0,0,0,0,lt.width,lt.height,lt.depth,xt,B,lt.data)):e.texImage3D(s.TEXTURE_3D,0,ht,lt.width,lt.height,lt.depth,0,xt,B,lt.data);else if(T.isFramebufferTexture){if(Mt)if(yt)e.texStorage2D(s.TEXTURE_2D,ee,ht,lt.width,lt.height);else{let pt=lt.width,Bt=lt.height;for(let ie=0;ie<ee;ie++)e.texImage2D(s.TEXTURE_2D,ie,ht,pt,Bt,0,xt,B,null),pt>>=1,Bt>>=1}}else if(T.isHTMLTexture){if("texElementImage2D"in s){let pt=s.canvas;if(pt.hasAttribute("layoutsubtree")||pt.setAttribute("layoutsubtree","true"),lt.parentNode!==pt){pt.appendChild(lt),u.add(T),pt.onpaint=Bt=>{let ie=Bt.changedElements;for(let Ct of u)ie.includes(Ct.image)&&(Ct.needsUpdate=!0)},pt.requestPaint();return}if(s.texElementImage2D.length===3)s.texElementImage2D(s.TEXTURE_2D,s.RGBA8,lt);else{let ie=s.RGBA,Ct=s.RGBA,he=s.UNSIGNED_BYTE;s.texElementImage2D(s.TEXTURE_2D,0,ie,Ct,he,lt)}s.texParameteri(s.TEXTURE_2D,s.TEXTURE_MIN_FILTER,s.LINEAR),s.texParameteri(s.TEXTURE_2D,s.TEXTURE_WRAP_S,s.CLAMP_TO_EDGE),s.texParameteri(s.TEXTURE_2D,s.TEXTURE_WRAP_T,s.CLAMP_TO_EDGE)}}else if(Tt.length>0){if(yt&&Mt){let pt=Zt(Tt[0]);e.texStorage2D(s.TEXTURE_2D,ee,ht,pt.width,pt.height)}for(let pt=0,Bt=Tt.length;pt<Bt;pt++)ot=Tt[pt],yt?Xt&&e.texSubImage2D(s.TEXTURE_2D,pt,0,0,xt,B,ot):e.texImage2D(s.TEXTURE_2D,pt,ht,xt,B,ot);T.generateMipmaps=!1}else if(yt){if(Mt){let pt=Zt(lt);e.texStorage2D(s.TEXTURE_2D,ee,ht,pt.width,pt.height)}Xt&&e.texSubImage2D(s.TEXTURE_2D,0,0,0,xt,B,lt)}else e.texImage2D(s.TEXTURE_2D,0,ht,xt,B,lt);w(T)&&T.mipmapsAutoUpdate===!0&&v(mt),bt.__version=vt.version,T.onUpdate&&T.onUpdate(T)}N.__version=T.version}function ui(N,T,j){if(T.image.length!==6)return;let mt=de(N,T),ut=T.source;e.bindTexture(s.TEXTURE_CUBE_MAP,N.__webglTexture,s.TEXTURE0+j);let vt=i.get(ut);if(ut.version!==vt.__version||mt===!0){e.activeTexture(s.TEXTURE0+j);let bt=ue.getPrimaries(ue.workingColorSpace),rt=T.colorSpace===Bs?null:ue.getPrimaries(T.colorSpace),lt=T.colorSpace===Bs||bt===rt?s.NONE:s.BROWSER_DEFAULT_WEBGL;e.pixelStorei(s.UNPACK_FLIP_Y_WEBGL,T.flipY),e.pixelStorei(s.UNPACK_PREMULTIPLY_ALPHA_WEBGL,T.premultiplyAlpha),e.pixelStorei(s.UNPACK_ALIGNMENT,T.unpackAlignment),e.pixelStorei(s.UNPACK_COLORSPACE_CONVERSION_WEBGL,lt);let xt=T.isCompressedTexture||T.image[0].isCompressedTexture,B=T.image[0]&&T.image[0].isDataTexture,ht=[];for(let Ct=0;Ct<6;Ct++)!xt&&!B?ht[Ct]=_(T.image[Ct],!0,n.maxCubemapSize):ht[Ct]=B?T.image[Ct].image:T.image[Ct],ht[Ct]=Ht(T,ht[Ct]);let ot=ht[0],Tt=r.convert(T.format,T.colorSpace),yt=r.convert(T.type),Mt=S(T.internalFormat,Tt,yt,T.normalized,T.colorSpace),Xt=T.isVideoTexture!==!0,ee=vt.__version===void 0||mt===!0,pt=ut.dataReady,Bt=M(T,ot);me(s.TEXTURE_CUBE_MAP,T);let ie;if(T.isDepthTexture){if(Mt=y(T.format===ks,T.type),ee)if(Xt)e.texStorage2D(s.TEXTURE_CUBE_MAP,1,Mt,ot.width,ot.height);else for(let Ct=0;Ct<6;Ct++)e.texImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,0,Mt,ot.width,ot.height,0,Tt,yt,null)}else if(xt){Xt&&ee&&e.texStorage2D(s.TEXTURE_CUBE_MAP,Bt,Mt,ot.width,ot.height);for(let Ct=0;Ct<6;Ct++){ie=ht[Ct].mipmaps;for(let he=0;he<ie.length;he++){let Xe=ie[he];T.format!==Un?Tt!==null?Xt?pt&&e.compressedTexSubImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,he,0,0,Xe.width,Xe.height,Tt,Xe.data):e.compressedTexImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,he,Mt,Xe.width,Xe.height,0,Xe.data):jt("WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):Xt?pt&&e.texSubImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,he,0,0,Xe.width,Xe.height,Tt,yt,Xe.data):e.texImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,he,Mt,Xe.width,Xe.height,0,Tt,yt,Xe.data)}}}else{if(ie=T.mipmaps,Xt&&ee){ie.length>0&&Bt++;let Ct=Zt(ht[0]);e.texStorage2D(s.TEXTURE_CUBE_MAP,Bt,Mt,Ct.width,Ct.height)}for(let Ct=0;Ct<6;Ct++)if(B){Xt?pt&&e.texSubImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,0,0,0,ht[Ct].width,ht[Ct].height,Tt,yt,ht[Ct].data):e.texImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,0,Mt,ht[Ct].width,ht[Ct].height,0,Tt,yt,ht[Ct].data);for(let he=0;he<ie.length;he++){let Ji=ie[he].image[Ct].image;Xt?pt&&e.texSubImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,he+1,0,0,Ji.width,Ji.height,Tt,yt,Ji.data):e.texImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,he+1,Mt,Ji.width,Ji.height,0,Tt,yt,Ji.data)}}else{Xt?pt&&e.texSubImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,0,0,0,Tt,yt,ht[Ct]):e.texImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,0,Mt,Tt,yt,ht[Ct]);for(let he=0;he<ie.length;he++){let Xe=ie[he];Xt?pt&&e.texSubImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,he+1,0,0,Tt,yt,Xe.image[Ct]):e.texImage2D(s.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,he+1,Mt,Tt,yt,Xe.image[Ct])}}}w(T)&&T.mipmapsAutoUpdate===!0&&v(s.TEXTURE_CUBE_MAP),vt.__version=ut.version,T.onUpdate&&T.onUpdate(T)}N.__version=T.version}function Fe(N,T,j,mt,ut,vt){let bt=r.convert(j.format,j.colorSpace),rt=r.convert(j.type),lt=S(j.internalFormat,bt,rt,j.normalized,j.colorSpace),xt=i.get(T),B=i.get(j);if(B.__renderTarget=T,!xt.__hasExternalTextures){let ht=Math.max(1,T.width>>vt),ot=Math.max(1,T.height>>vt);ut===s.TEXTURE_3D||ut===s.TEXTURE_2D_ARRAY?e.texImage3D(ut,vt,lt,ht,ot,T.depth,0,bt,rt,null):e.texImage2D(ut,vt,lt,ht,ot,0,bt,rt,null)}e.bindFramebuffer(s.FRAMEBUFFER,N),wt(T)?a.framebufferTexture2DMultisampleEXT(s.FRAMEBUFFER,mt,ut,B.__webglTexture,0,ce(T)):(ut===s.TEXTURE_2D||ut>=s.TEXTURE_CUBE_MAP_POSITIVE_X&&ut<=s.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&s.framebufferTexture2D(s.FRAMEBUFFER,mt,ut,B.__webglTexture,vt),e.bindFramebuffer(s.FRAMEBUFFER,null)}function Ei(N,T,j){if(s.bindRenderbuffer(s.RENDERBUFFER,N),T.depthBuffer){let mt=T.depthTexture,ut=mt&&mt.isDepthTexture?mt.type:null,vt=y(T.stencilBuffer,ut),bt=T.stencilBuffer?s.DEPTH_STENCIL_ATTACHMENT:s.DEPTH_ATTACHMENT;wt(T)?a.renderbufferStorageMultisampleEXT(s.RENDERBUFFER,ce(T),vt,T.width,T.height):j?s.renderbufferStorageMultisample(s.RENDERBUFFER,ce(T),vt,T.width,T.height):s.renderbufferStorage(s.RENDERBUFFER,vt,T.width,T.height),s.framebufferRenderbuffer(s.FRAMEBUFFER,bt,s.RENDERBUFFER,N)}else{let mt=T.textures;for(let ut=0;ut<mt.length;ut++){let vt=mt[ut],bt=r.convert(vt.format,vt.colorSpace),rt=r.convert(vt.type),lt=S(vt.internalFormat,bt,rt,vt.normalized,vt.colorSpace);wt(T)?a.renderbufferStorageMultisampleEXT(s.RENDERBUFFER,ce(T),lt,T.width,T.height):j?s.renderbufferStorageMultisample(s.RENDERBUFFER,ce(T),lt,T.width,T.height):s.renderbufferStorage(s.RENDERBUFFER,lt,T.width,T.height)}}s.bindRenderbuffer(s.RENDERBUFFER,null)}function Se(N,T,j){let mt=T.isWebGLCubeRenderTarget===!0;if(e.bindFramebuffer(s.FRAMEBUFFER,N),!(T.depthTexture&&T.depthTexture.isDepthTexture))throw new Error("THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.");let ut=i.get(T.depthTexture);ut.__renderTarget=T;let vt=mt?T.depthTexture.image[0]:T.depthTexture.image;(!ut.__webglTexture||vt.width!==T.width||vt.height!==T.height)&&(vt.width=T.width,vt.height=T.height,T.depthTexture.needsUpdate=!0),mt?gt(T.depthTexture,0):st(T.depthTexture,0);let bt=ut.__webglTexture,rt=ce(T),lt=mt?s.TEXTURE_CUBE_MAP_POSITIVE_X+j:s.TEXTURE_2D,xt=T.depthTexture.format===ks?s.DEPTH_STENCIL_ATTACHMENT:s.DEPTH_ATTACHMENT;if(T.depthTexture.format===Ns)wt(T)?a.framebufferTexture2DMultisampleEXT(s.FRAMEBUFFER,xt,lt,bt,0,rt):s.framebufferTexture2D(s.FRAMEBUFFER,xt,lt,bt,0);else if(T.depthTexture.format===ks)wt(T)?a.framebufferTexture2DMultisampleEXT(s.FRAMEBUFFER,xt,lt,bt,0,rt):s.framebufferTexture2D(s.FRAMEBUFFER,xt,lt,bt,0);else throw new Error("THREE.WebGLTextures: Unknown depthTexture format.")}function vi(N){let T=i.get(N),j=N.isWebGLCubeRenderTarget===!0;if(T.__boundDepthTexture!==N.depthTexture){let mt=N.depthTexture;if(T.__depthDisposeCallback&&T.__depthDisposeCallback(),mt){let ut=()=>{delete T.__boundDepthTexture,delete T.__depthDisposeCallback,mt.removeEventListener("dispose",ut)};mt.addEventListener("dispose",ut),T.__depthDisposeCallback=ut}T.__boundDepthTexture=mt}if(N.depthTexture&&!T.__autoAllocateDepthBuffer)if(j)for(let mt=0;mt<6;mt++)Se(T.__webglFramebuffer[mt],N,mt);else N.texture.mipmaps.length>0?Se(T.__webglFramebuffer[0],N,0):Se(T.__webglFramebuffer,N,0);else if(j){T.__webglDepthbuffer=[];for(let mt=0;mt<6;mt++)if(e.bindFramebuffer(s.FRAMEBUFFER,T.__webglFramebuffer[mt]),T.__webglDepthbuffer[mt]===void 0)T.__webglDepthbuffer[mt]=s.createRenderbuffer(),Ei(T.__webglDepthbuffer[mt],N,!1);else{let ut=N.stencilBuffer?s.DEPTH_STENCIL_ATTACHMENT:s.DEPTH_ATTACHMENT,vt=T.__webglDepthbuffer[mt];s.bindRenderbuffer(s.RENDERBUFFER,vt),s.framebufferRenderbuffer(s.FRAMEBUFFER,ut,s.RENDERBUFFER,vt)}}else if(N.texture.mipmaps.length>0?e.bindFramebuffer(s.FRAMEBUFFER,T.__webglFramebuffer[0]):e.bindFramebuffer(s.FRAMEBUFFER,T.__webglFramebuffer),T.__webglDepthbuffer===void 0)T.__webglDepthbuffer=s.createRenderbuffer(),Ei(T.__webglDepthbuffer,N,!1);else{let ut=N.stencilBuffer?s.DEPTH_STENCIL_ATTACHMENT:s.DEPTH_ATTACHMENT,vt=T.__webglDepthbuffer;s.bindRenderbuffer(s.RENDERBUFFER,vt),s.framebufferRenderbuffer(s.FRAMEBUFFER,ut,s.RENDERBUFFER,vt)}e.bindFramebuffer(s.FRAMEBUFFER,null)}function ni(N,T,j){let mt=i.get(N);T!==void 0&&Fe(mt.__webglFramebuffer,N,N.texture,s.COLOR_ATTACHMENT0,s.TEXTURE_2D,0),j!==void 0&&vi(N)}function di(N){let T=N.texture,j=i.get(N),mt=i.get(T);N.addEventListener("dispose",U),I(N);let ut=N.textures,vt=N.isWebGLCubeRenderTarget===!0,bt=ut.length>1;if(bt||(mt.__webglTexture===void 0&&(mt.__webglTexture=s.createTexture()),mt.__version=T.version,o.memory.textures++),vt){j.__webglFramebuffer=[];for(let rt=0;rt<6;rt++)if(T.mipmaps.length>0){j.__webglFramebuffer[rt]=[];for(let lt=0;lt<T.mipmaps.length;lt++)j.__webglFramebuffer[rt][lt]=s.createFramebuffer()}else j.__webglFramebuffer[rt]=s.createFramebuffer()}else{if(T.mipmaps.length>0){j.__webglFramebuffer=[];for(let rt=0;rt<T.mipmaps.length;rt++)j.__webglFramebuffer[rt]=s.createFramebuffer()}else j.__webglFramebuffer=s.createFramebuffer();if(bt)for(let rt=0,lt=ut.length;rt<lt;rt++){let xt=i.get(ut[rt]);xt.__webglTexture===void 0&&(xt.__webglTexture=s.createTexture(),o.memory.textures++)}if(N.samples>0&&wt(N)===!1){j.__webglMultisampledFramebuffer=s.createFramebuffer(),j.__webglColorRenderbuffer=[],e.bindFramebuffer(s.FRAMEBUFFER,j.__webglMultisampledFramebuffer);for(let rt=0;rt<ut.length;rt++){let lt=ut[rt];j.__webglColorRenderbuffer[rt]=s.createRenderbuffer(),s.bindRenderbuffer(s.RENDERBUFFER,j.__webglColorRenderbuffer[rt]);let xt=r.convert(lt.format,lt.colorSpace),B=r.convert(lt.type),ht=S(lt.internalFormat,xt,B,lt.normalized,lt.colorSpace,N.isXRRenderTarget===!0),ot=ce(N);s.renderbufferStorageMultisample(s.RENDERBUFFER,ot,ht,N.width,N.height),s.framebufferRenderbuffer(s.FRAMEBUFFER,s.COLOR_ATTACHMENT0+rt,s.RENDERBUFFER,j.__webglColorRenderbuffer[rt])}s.bindRenderbuffer(s.RENDERBUFFER,null),N.depthBuffer&&(j.__webglDepthRenderbuffer=s.createRenderbuffer(),Ei(j.__webglDepthRenderbuffer,N,!0)),e.bindFramebuffer(s.FRAMEBUFFER,null)}}if(vt){e.bindTexture(s.TEXTURE_CUBE_MAP,mt.__webglTexture),me(s.TEXTURE_CUBE_MAP,T);for(let rt=0;rt<6;rt++)if(T.mipmaps.length>0)for(let lt=0;lt<T.mipmaps.length;lt++)Fe(j.__webglFramebuffer[rt][lt],N,T,s.COLOR_ATTACHMENT0,s.TEXTURE_CUBE_MAP_POSITIVE_X+rt,lt);else Fe(j.__webglFramebuffer[rt],N,T,s.COLOR_ATTACHMENT0,s.TEXTURE_CUBE_MAP_POSITIVE_X+rt,0);w(T)?v(s.TEXTURE_CUBE_MAP):T.mipmaps.length>0&&s.texParameteri(s.TEXTURE_CUBE_MAP,s.TEXTURE_MAX_LEVEL,T.mipmaps.length-1),e.unbindTexture()}else if(bt){for(let rt=0,lt=ut.length;rt<lt;rt++){let xt=ut[rt],B=i.get(xt),ht=s.TEXTURE_2D;(N.isWebGL3DRenderTarget||N.isWebGLArrayRenderTarget)&&(ht=N.isWebGL3DRenderTarget?s.TEXTURE_3D:s.TEXTURE_2D_ARRAY),e.bindTexture(ht,B.__webglTexture),me(ht,xt),Fe(j.__webglFramebuffer,N,xt,s.COLOR_ATTACHMENT0+rt,ht,0),w(xt)&&v(ht)}e.unbindTexture()}else{let rt=s.TEXTURE_2D;if((N.isWebGL3DRenderTarget||N.isWebGLArrayRenderTarget)&&(rt=N.isWebGL3DRenderTarget?s.TEXTURE_3D:s.TEXTURE_2D_ARRAY),e.bindTexture(rt,mt.__webglTexture),me(rt,T),T.mipmaps.length>0)for(let lt=0;lt<T.mipmaps.length;lt++)Fe(j.__webglFramebuffer[lt],N,T,s.COLOR_ATTACHMENT0,rt,lt);else Fe(j.__webglFramebuffer,N,T,s.COLOR_ATTACHMENT0,rt,0);w(T)?v(rt):T.mipmaps.length>0&&s.texParameteri(rt,s.TEXTURE_MAX_LEVEL,T.mipmaps.length-1),e.unbindTexture()}N.depthBuffer&&vi(N)}function z(N){let T=N.textures;for(let j=0,mt=T.length;j<mt;j++){let ut=T[j];if(w(ut)&&ut.mipmapsAutoUpdate===!0){let vt=A(N),bt=i.get(ut).__webglTexture;e.bindTexture(vt,bt),v(vt),e.unbindTexture()}}}let Rt=[];function Qt(N){if(N.samples>0){if(wt(N)===!1){let T=N.textures,j=N.width,mt=N.height,ut=s.COLOR_BUFFER_BIT,vt=N.stencilBuffer?s.DEPTH_STENCIL_ATTACHMENT:s.DEPTH_ATTACHMENT,bt=i.get(N),rt=T.length>1;if(rt)for(let xt=0;xt<T.length;xt++)e.bindFramebuffer(s.FRAMEBUFFER,bt.__webglMultisampledFramebuffer),s.framebufferRenderbuffer(s.FRAMEBUFFER,s.COLOR_ATTACHMENT0+xt,s.RENDERBUFFER,null),e.bindFramebuffer(s.FRAMEBUFFER,bt.__webglFramebuffer),s.framebufferTexture2D(s.DRAW_FRAMEBUFFER,s.COLOR_ATTACHMENT0+xt,s.TEXTURE_2D,null,0);e.bindFramebuffer(s.READ_FRAMEBUFFER,bt.__webglMultisampledFramebuffer),N.texture.mipmaps.length>0?e.bindFramebuffer(s.DRAW_FRAMEBUFFER,bt.__webglFramebuffer[0]):e.bindFramebuffer(s.DRAW_FRAMEBUFFER,bt.__webglFramebuffer);for(let xt=0;xt<T.length;xt++){if(N.resolveDepthBuffer&&(N.depthBuffer&&(ut|=s.DEPTH_BUFFER_BIT),N.stencilBuffer&&N.resolveStencilBuffer&&(ut|=s.STENCIL_BUFFER_BIT)),rt){s.framebufferRenderbuffer(s.READ_FRAMEBUFFER,s.COLOR_ATTACHMENT0,s.RENDERBUFFER,bt.__webglColorRenderbuffer[xt]);let B=i.get(T[xt]).__webglTexture;s.framebufferTexture2D(s.DRAW_FRAMEBUFFER,s.COLOR_ATTACHMENT0,s.TEXTURE_2D,B,0)}s.blitFramebuffer(0,0,j,mt,0,0,j,mt,ut,s.NEAREST),l===!0&&(Rt.length=0,Rt.push(s.COLOR_ATTACHMENT0+xt),N.depthBuffer&&N.storeMultisampledDepthBuffer===!1&&Rt.push(vt),s.invalidateFramebuffer(s.READ_FRAMEBUFFER,Rt))}if(e.bindFramebuffer(s.READ_FRAMEBUFFER,null),e.bindFramebuffer(s.DRAW_FRAMEBUFFER,null),rt)for(let xt=0;xt<T.length;xt++){e.bindFramebuffer(s.FRAMEBUFFER,bt.__webglMultisampledFramebuffer),s.framebufferRenderbuffer(s.FRAMEBUFFER,s.COLOR_ATTACHMENT0+xt,s.RENDERBUFFER,bt.__webglColorRenderbuffer[xt]);let B=i.get(T[xt]).__webglTexture;e.bindFramebuffer(s.FRAMEBUFFER,bt.__webglFramebuffer),s.framebufferTexture2D(s.DRAW_FRAMEBUFFER,s.COLOR_ATTACHMENT0+xt,s.TEXTURE_2D,B,0)}e.bindFramebuffer(s.DRAW_FRAMEBUFFER,bt.__webglMultisampledFramebuffer)}else if(N.depthBuffer&&N.storeMultisampledDepthBuffer===!1&&l){let T=N.stencilBuffer?s.DEPTH_STENCIL_ATTACHMENT:s.DEPTH_ATTACHMENT;s.invalidateFramebuffer(s.DRAW_FRAMEBUFFER,[T])}}}function ce(N){return Math.min(n.maxSamples,N.samples)}function wt(N){let T=i.get(N);return N.samples>0&&t.has("WEBGL_multisampled_render_to_texture")===!0&&T.__useRenderToTexture!==!1}function Be(N){let T=o.render.frame;h.get(N)!==T&&(h.set(N,T),N.update())}function Ht(N,T){let j=N.colorSpace,mt=N.format,ut=N.type;return N.isCompressedTexture===!0||N.isVideoTexture===!0||j!==Oa&&j!==Bs&&(ue.getTransfer(j)===Re?(mt!==Un||ut!==ln)&&jt("WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):ne("WebGLTextures: Unsupported texture color space:",j)),T}function Zt(N){return typeof HTMLImageElement<"u"&&N instanceof HTMLImageElement?(c.width=N.naturalWidth||N.width,c.height=N.naturalHeight||N.height):typeof VideoFrame<"u"&&N instanceof VideoFrame?(c.width=N.displayWidth,c.height=N.displayHeight):(c.width=N.width,c.height=N.height),c}this.allocateTextureUnit=nt,this.resetTextureUnits=J,this.getTextureUnits=Q,this.setTextureUnits=ct,this.setTexture2D=st,this.setTexture2DArray=et,this.setTexture3D=at,this.setTextureCube=gt,this.rebindTextures=ni,this.setupRenderTarget=di,this.updateRenderTargetMipmap=z,this.updateMultisampleRenderTarget=Qt,this.setupDepthRenderbuffer=vi,this.setupFrameBufferTexture=Fe,this.useMultisampledRTT=wt,this.dispose=H}function PA(s,t){function e(i,n=Bs){let r,o=ue.getTransfer(n);if(i===ln)return s.UNSIGNED_BYTE;if(i===xh)return s.UNSIGNED_SHORT_4_4_4_4;if(i===yh)return s.UNSIGNED_SHORT_5_5_5_1;if(i===Af)return s.UNSIGNED_INT_5_9_9_9_REV;if(i===Ef)return s.UNSIGNED_INT_10F_11F_11F_REV;if(i===wf)return s.BYTE;if(i===Tf)return s.SHORT;if(i===Ko)return s.UNSIGNED_SHORT;if(i===_h)return s.INT;if(i===Jn)return s.UNSIGNED_INT;if(i===Dn)return s.FLOAT;if(i===Zn)return s.HALF_FLOAT;if(i===Cf)return s.ALPHA;if(i===Rf)return s.RGB;if(i===Un)return s.RGBA;if(i===Ns)return s.DEPTH_COMPONENT;if(i===ks)return s.DEPTH_STENCIL;if(i===Pf)return s.RED;if(i===vh)return s.RED_INTEGER;if(i===lr)return s.RG;if(i===bh)return s.RG_INTEGER;if(i===Sh)return s.RGBA_INTEGER;if(i===ul||i===dl||i===fl||i===pl)if(o===Re)if(r=t.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(i===ul)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(i===dl)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(i===fl)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(i===pl)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=t.get("WEBGL_compressed_texture_s3tc"),r!==null){if(i===ul)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(i===dl)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(i===fl)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(i===pl)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(i===Mh||i===wh||i===Th||i===Ah)if(r=t.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(i===Mh)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(i===wh)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(i===Th)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(i===Ah)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(i===Eh||i===Ch||i===Rh||i===Ph||i===Ih||i===ml||i===Nh)if(r=t.get("WEBGL_compressed_texture_etc"),r!==null){if(i===Eh||i===Ch)return o===Re?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(i===Rh)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC;if(i===Ph)return r.COMPRESSED_R11_EAC;if(i===Ih)return r.COMPRESSED_SIGNED_R11_EAC;if(i===ml)return r.COMPRESSED_RG11_EAC;if(i===Nh)return r.COMPRESSED_SIGNED_RG11_EAC}else return null;if(i===Lh||i===Dh||i===Uh||i===Fh||i===Oh||i===kh||i===Bh||i===zh||i===Vh||i===Gh||i===Hh||i===Wh||i===Xh||i===qh)if(r=t.get("WEBGL_compressed_texture_astc"),r!==null){if(i===Lh)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(i===Dh)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(i===Uh)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(i===Fh)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(i===Oh)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(i===kh)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(i===Bh)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(i===zh)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(i===Vh)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(i===Gh)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(i===Hh)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(i===Wh)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(i===Xh)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(i===qh)return o===Re?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(i===Yh||i===jh||i===$h)if(r=t.get("EXT_texture_compression_bptc"),r!==null){if(i===Yh)return o===Re?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(i===jh)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(i===$h)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(i===Jh||i===Zh||i===gl||i===Kh)if(r=t.get("EXT_texture_compression_rgtc"),r!==null){if(i===Jh)return r.COMPRESSED_RED_RGTC1_EXT;if(i===Zh)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(i===gl)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(i===Kh)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return i===Hr?s.UNSIGNED_INT_24_8:s[i]!==void 0?s[i]:null}return{convert:e}}var IA=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,NA=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`,Zf=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(t,e){if(this.texture===null){let i=new Ya(t.texture);(t.depthNear!==e.depthNear||t.depthFar!==e.depthFar)&&(this.depthNear=t.depthNear,this.depthFar=t.depthFar),this.texture=i}}getMesh(t){if(this.texture!==null&&this.mesh===null){let e=t.cameras[0].viewport,i=new hs({vertexShader:IA,fragmentShader:NA,uniforms:{depthColor:{value:this.texture},depthWidth:{value:e.z},depthHeight:{value:e.w}}});this.mesh=new Ge(new Ka(20,20),i)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},Kf=class extends qn{constructor(t,e){super();let i=this,n=null,r=1,o=null,a="local-floor",l=1,c=null,h=null,u=null,d=null,f=null,m=null,x=typeof XRWebGLBinding<"u",g=new Zf,p={},_=e.getContextAttributes(),w=null,v=null,A=[],S=[],y=new $t,M=null,I=null,P=new yi;P.viewport=new Ue;let R=new yi;R.viewport=new Ue;let U=[P,R],O=new fh,L=null,H=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(q){let st=A[q];return st===void 0&&(st=new Oo,A[q]=st),st.getTargetRaySpace()},this.getControllerGrip=function(q){let st=A[q];return st===void 0&&(st=new Oo,A[q]=st),st.getGripSpace()},this.getHand=function(q){let st=A[q];return st===void 0&&(st=new Oo,A[q]=st),st.getHandSpace()};function k(q){let st=S.indexOf(q.inputSource);if(st===-1)return;let et=A[st];et!==void 0&&(et.update(q.inputSource,q.frame,c||o),et.dispatchEvent({type:q.type,data:q.inputSource}))}function G(){n.removeEventListener("select",k),n.removeEventListener("selectstart",k),n.removeEventListener("selectend",k),n.removeEventListener("squeeze",k),n.removeEventListener("squeezestart",k),n.removeEventListener("squeezeend",k),n.removeEventListener("end",G),n.removeEventListener("inputsourceschange",it);for(let q=0;q<A.length;q++){let st=S[q];st!==null&&(S[q]=null,A[q].disconnect(st))}L=null,H=null,g.reset();for(let q in p)delete p[q];if(t.setRenderTarget(w),f=null,d=null,u=null,n=null,v=null,nt.stop(),i.isPresenting=!1,t.setPixelRatio(M),t.setSize(y.width,y.height,!1),I!==null){let q=I.camera;q.fov=I.fov,q.zoom=I.zoom,q.updateProjectionMatrix(),I=null}i.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function(q){r=q,i.isPresenting===!0&&jt("WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function(q){a=q,i.isPresenting===!0&&jt("WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return c||o},this.setReferenceSpace=function(q){c=q},this.getBaseLayer=function(){return d!==null?d:f},this.getBinding=function(){return u===null&&x&&(u=new XRWebGLBinding(n,e)),u},this.getFrame=function(){return m},this.getSession=function(){return n},this.setSession=async function(q){if(n=q,n!==null){if(w=t.getRenderTarget(),n.addEventListener("select",k),n.addEventListener("selectstart",k),n.addEventListener("selectend",k),n.addEventListener("squeeze",k),n.addEventListener("squeezestart",k),n.addEventListener("squeezeend",k),n.addEventListener("end",G),n.addEventListener("inputsourceschange",it),_.xrCompatible!==!0&&await e.makeXRCompatible(),M=t.getPixelRatio(),t.getSize(y),x&&"createProjectionLayer"in XRWebGLBinding.prototype){let et=null,at=null,gt=null;_.depth&&(gt=_.stencil?e.DEPTH24_STENCIL8:e.DEPTH_COMPONENT24,et=_.stencil?ks:Ns,at=_.stencil?Hr:Jn);let Ut={colorFormat:e.RGBA8,depthFormat:gt,scaleFactor:r};u=this.getBinding(),d=u.createProjectionLayer(Ut),n.updateRenderState({layers:[d]}),t.setPixelRatio(1),t.setSize(d.textureWidth,d.textureHeight,!1),v=new Mn(d.textureWidth,d.textureHeight,{format:Un,type:ln,depthTexture:new Us(d.textureWidth,d.textureHeight,at,void 0,void 0,void 0,void 0,void 0,void 0,et),stencilBuffer:_.stencil,colorSpace:t.outputColorSpace,samples:_.antialias?4:0,resolveDepthBuffer:d.ignoreDepthValues===!1,resolveStencilBuffer:d.ignoreDepthValues===!1,storeMultisampledDepthBuffer:d.ignoreDepthValues===!1,storeMultisampledStencilBuffer:d.ignoreDepthValues===!1})}else{let et={antialias:_.antialias,alpha:!0,depth:_.depth,stencil:_.stencil,framebufferScaleFactor:r};f=new XRWebGLLayer(n,e,et),n.updateRenderState({baseLayer:f}),t.setPixelRatio(1),t.setSize(f.framebufferWidth,f.framebufferHeight,!1),v=new Mn(f.framebufferWidth,f.framebufferHeight,{format:Un,type:ln,colorSpace:t.outputColorSpace,stencilBuffer:_.stencil,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1,storeMultisampledDepthBuffer:f.ignoreDepthValues===!1,storeMultisampledStencilBuffer:f.ignoreDepthValues===!1})}v.isXRRenderTarget=!0,this.setFoveation(l),c=null,o=await n.requestReferenceSpace(a),nt.setContext(n),nt.start(),i.isPresenting=!0,i.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(n!==null)return n.environmentBlendMode},this.getDepthTexture=function(){return g.getDepthTexture()};function it(q){for(let st=0;st<q.removed.length;st++){let et=q.removed[st],at=S.indexOf(et);at>=0&&(S[at]=null,A[at].disconnect(et))}for(let st=0;st<q.added.length;st++){let et=q.added[st],at=S.indexOf(et);if(at===-1){for(let Ut=0;Ut<A.length;Ut++)if(Ut>=S.length){S.push(et),at=Ut;break}else if(S[Ut]===null){S[Ut]=et,at=Ut;break}if(at===-1)break}let gt=A[at];gt&&gt.connect(et)}}function Y(q,st){st===null?q.matrixWorld.copy(q.matrix):q.matrixWorld.multiplyMatrices(st.matrixWorld,q.matrix),q.matrixWorldInverse.copy(q.matrixWorld).invert()}this.updateCamera=function(q){if(n===null)return;let st=q.near,et=q.far;g.texture!==null&&(g.depthNear>0&&(st=g.depthNear),g.depthFar>0&&(et=g.depthFar)),O.near=R.near=P.near=st,O.far=R.far=P.far=et,(L!==O.near||H!==O.far)&&(n.updateRenderState({depthNear:O.near,depthFar:O.far}),L=O.near,H=O.far),O.layers.mask=q.layers.mask|6,P.layers.mask=O.layers.mask&-5,R.layers.mask=O.layers.mask&-3;let at=q.parent,gt=O.cameras;Y(O,at);for(let Ut=0;Ut<gt.length;Ut++)Y(gt[Ut],at);O.projectionMatrix.copy(P.projectionMatrix),O.projectionMatrixInverse.copy(P.projectionMatrixInverse),I===null&&q.isPerspectiveCamera&&(I={camera:q,fov:q.fov,zoom:q.zoom}),J(q,O,at)};function J(q,st,et){et===null?q.matrix.copy(st.matrixWorld):(q.matrix.copy(et.matrixWorld),q.matrix.invert(),q.matrix.multiply(st.matrixWorld)),q.matrix.decompose(q.position,q.quaternion,q.scale),q.updateMatrixWorld(!0),q.projectionMatrix.copy(st.projectionMatrix),q.projectionMatrixInverse.copy(st.projectionMatrixInverse),q.isPerspectiveCamera&&(q.fov=Pr*2*Math.atan(1/q.projectionMatrix.elements[5]),q.zoom=1)}this.getCamera=function(){return O},this.getFoveation=function(){if(!(d===null&&f===null))return l},this.setFoveation=function(q){l=q,d!==null&&(d.fixedFoveation=q),f!==null&&f.fixedFoveation!==void 0&&(f.fixedFoveation=q)},this.hasDepthSensing=function(){return g.texture!==null},this.getDepthSensingMesh=function(){return g.getMesh(O)},this.getCameraTexture=function(q){return p[q]};let Q=null;function ct(q,st){if(h=st.getViewerPose(c||o),m=st,h!==null){let et=h.views;f!==null&&(t.setRenderTargetFramebuffer(v,f.framebuffer),t.setRenderTarget(v));let at=!1;et.length!==O.cameras.length&&(O.cameras.length=0,at=!0);for(let kt=0;kt<et.length;kt++){let me=et[kt],de=null;if(f!==null)de=f.getViewport(me);else{let Ze=u.getViewSubImage(d,me);de=Ze.viewport,kt===0&&(t.setRenderTargetTextures(v,Ze.colorTexture,Ze.depthStencilTexture),t.setRenderTarget(v))}let ae=U[kt];ae===void 0&&(ae=new yi,ae.layers.enable(kt),ae.viewport=new Ue,U[kt]=ae),ae.matrix.fromArray(me.transform.matrix),ae.matrix.decompose(ae.position,ae.quaternion,ae.scale),ae.projectionMatrix.fromArray(me.projectionMatrix),ae.projectionMatrixInverse.copy(ae.projectionMatrix).invert(),ae.viewport.set(de.x,de.y,de.width,de.height),kt===0&&(O.matrix.copy(ae.matrix),O.matrix.decompose(O.position,O.quaternion,O.scale)),at===!0&&O.cameras.push(ae)}let gt=n.enabledFeatures;if(gt&&gt.includes("depth-sensing")&&n.depthUsage=="gpu-optimized"&&x){u=i.getBinding();let kt=u.getDepthInformation(et[0]);kt&&kt.isValid&&kt.texture&&g.init(kt,n.renderState)}if(gt&&gt.includes("camera-access")&&x){t.state.unbindTexture(),u=i.getBinding();for(let kt=0;kt<et.length;kt++){let me=et[kt].camera;if(me){let de=p[me];de||(de=new Ya,p[me]=de);let ae=u.getCameraImage(me);de.sourceTexture=ae}}}}for(let et=0;et<A.length;et++){let at=S[et],gt=A[et];at!==null&&gt!==void 0&&gt.update(at,st,c||o)}Q&&Q(q,st),st.detectedPlanes&&i.dispatchEvent({type:"planesdetected",data:st}),m=null}let nt=new w_;nt.setAnimationLoop(ct),this.setAnimationLoop=function(q){Q=q},this.dispose=function(){}}},LA=new Jt,D_=new oe;D_.set(-1,0,0,0,1,0,0,0,1);function DA(s,t){function e(g,p){g.matrixAutoUpdate===!0&&g.updateMatrix(),p.value.copy(g.matrix)}function i(g,p){p.color.getRGB(g.fogColor.value,Bf(s)),p.isFog?(g.fogNear.value=p.near,g.fogFar.value=p.far):p.isFogExp2&&(g.fogDensity.value=p.density)}function n(g,p,_,w,v){p.isNodeMaterial?p.uniformsNeedUpdate=!1:p.isMeshBasicMaterial?r(g,p):p.isMeshLambertMaterial?(r(g,p),p.envMap&&(g.envMapIntensity.value=p.envMapIntensity)):p.isMeshToonMaterial?(r(g,p),u(g,p)):p.isMeshPhongMaterial?(r(g,p),h(g,p),p.envMap&&(g.envMapIntensity.value=p.envMapIntensity)):p.isMeshStandardMaterial?(r(g,p),d(g,p),p.isMeshPhysicalMaterial&&f(g,p,v)):p.isMeshMatcapMaterial?(r(g,p),m(g,p)):p.isMeshDepthMaterial?r(g,p):p.isMeshDistanceMaterial?(r(g,p),x(g,p)):p.isMeshNormalMaterial?r(g,p):p.isLineBasicMaterial?(o(g,p),p.isLineDashedMaterial&&a(g,p)):p.isPointsMaterial?l(g,p,_,w):p.isSpriteMaterial?c(g,p):p.isShadowMaterial?(g.color.value.copy(p.color),g.opacity.value=p.opacity):p.isShaderMaterial&&(p.uniformsNeedUpdate=!1)}function r(g,p){g.opacity.value=p.opacity,p.color&&g.diffuse.value.copy(p.color),p.emissive&&g.emissive.value.copy(p.emissive).multiplyScalar(p.emissiveIntensity),p.map&&(g.map.value=p.map,e(p.map,g.mapTransform)),p.alphaMap&&(g.alphaMap.value=p.alphaMap,e(p.alphaMap,g.alphaMapTransform)),p.bumpMap&&(g.bumpMap.value=p.bumpMap,e(p.bumpMap,g.bumpMapTransform),g.bumpScale.value=p.bumpScale,p.side===rn&&(g.bumpScale.value*=-1)),p.normalMap&&(g.normalMap.value=p.normalMap,e(p.normalMap,g.normalMapTransform),g.normalScale.value.copy(p.normalScale),p.side===rn&&g.normalScale.value.negate()),p.displacementMap&&(g.displacementMap.value=p.displacementMap,e(p.displacementMap,g.displacementMapTransform),g.displacementScale.value=p.displacementScale,g.displacementBias.value=p.displacementBias),p.emissiveMap&&(g.emissiveMap.value=p.emissiveMap,e(p.emissiveMap,g.emissiveMapTransform)),p.specularMap&&(g.specularMap.value=p.specularMap,e(p.specularMap,g.specularMapTransform)),p.alphaTest>0&&(g.alphaTest.value=p.alphaTest);let _=t.get(p),w=_.envMap,v=_.envMapRotation;w&&(g.envMap.value=w,g.envMapRotation.value.setFromMatrix4(LA.makeRotationFromEuler(v)).transpose(),w.isCubeTexture&&w.isRenderTargetTexture===!1&&g.envMapRotation.value.premultiply(D_),g.reflectivity.value=p.reflectivity,g.ior.value=p.ior,g.refractionRatio.value=p.refractionRatio),p.lightMap&&(g.lightMap.value=p.lightMap,g.lightMapIntensity.value=p.lightMapIntensity,e(p.lightMap,g.lightMapTransform)),p.aoMap&&(g.aoMap.value=p.aoMap,g.aoMapIntensity.value=p.aoMapIntensity,e(p.aoMap,g.aoMapTransform))}function o(g,p){g.diffuse.value.copy(p.color),g.opacity.value=p.opacity,p.map&&(g.map.value=p.map,e(p.map,g.mapTransform))}function a(g,p){g.dashSize.value=p.dashSize,g.totalSize.value=p.dashSize+p.gapSize,g.scale.value=p.scale}function l(g,p,_,w){g.diffuse.value.copy(p.color),g.opacity.value=p.opacity,g.size.value=p.size*_,g.scale.value=w*.5,p.map&&(g.map.value=p.map,e(p.map,g.uvTransform)),p.alphaMap&&(g.alphaMap.value=p.alphaMap,e(p.alphaMap,g.alphaMapTransform)),p.alphaTest>0&&(g.alphaTest.value=p.alphaTest)}function c(g,p){g.diffuse.value.copy(p.color),g.opacity.value=p.opacity,g.rotation.value=p.rotation,p.map&&(g.map.value=p.map,e(p.map,g.mapTransform)),p.alphaMap&&(g.alphaMap.value=p.alphaMap,e(p.alphaMap,g.alphaMapTransform)),p.alphaTest>0&&(g.alphaTest.value=p.alphaTest)}function h(g,p){g.specular.value.copy(p.specular),g.shininess.value=Math.max(p.shininess,1e-4)}function u(g,p){p.gradientMap&&(g.gradientMap.value=p.gradientMap)}function d(g,p){g.metalness.value=p.metalness,p.metalnessMap&&(g.metalnessMap.value=p.metalnessMap,e(p.metalnessMap,g.metalnessMapTransform)),g.roughness.value=p.roughness,p.roughnessMap&&(g.roughnessMap.value=p.roughnessMap,e(p.roughnessMap,g.roughnessMapTransform)),p.envMap&&(g.envMapIntensity.value=p.envMapIntensity)}function f(g,p,_){g.ior.value=p.ior,p.diffuseRoughness>0&&(g.diffuseRoughness.value=p.diffuseRoughness,p.diffuseRoughnessMap&&(g.diffuseRoughnessMap.value=p.diffuseRoughnessMap,e(p.diffuseRoughnessMap,g.diffuseRoughnessMapTransform))),p.sheen>0&&(g.sheenColor.value.copy(p.sheenColor).multiplyScalar(p.sheen),g.sheenRoughness.value=p.sheenRoughness,p.sheenColorMap&&(g.sheenColorMap.value=p.sheenColorMap,e(p.sheenColorMap,g.sheenColorMapTransform)),p.sheenRoughnessMap&&(g.sheenRoughnessMap.value=p.sheenRoughnessMap,e(p.sheenRoughnessMap,g.sheenRoughnessMapTransform))),p.clearcoat>0&&(g.clearcoat.value=p.clearcoat,g.clearcoatRoughness.value=p.clearcoatRoughness,p.clearcoatMap&&(g.clearcoatMap.value=p.clearcoatMap,e(p.clearcoatMap,g.clearcoatMapTransform)),p.clearcoatRoughnessMap&&(g.clearcoatRoughnessMap.value=p.clearcoatRoughnessMap,e(p.clearcoatRoughnessMap,g.clearcoatRoughnessMapTransform)),p.clearcoatNormalMap&&(g.clearcoatNormalMap.value=p.clearcoatNormalMap,e(p.clearcoatNormalMap,g.clearcoatNormalMapTransform),g.clearcoatNormalScale.value.copy(p.clearcoatNormalScale),p.side===rn&&g.clearcoatNormalScale.value.negate())),p.dispersion>0&&(g.dispersion.value=p.dispersion),p.retroreflectivity>0&&(g.retroreflectivity.value=p.retroreflectivity),p.iridescence>0&&(g.iridescence.value=p.iridescence,g.iridescenceIOR.value=p.iridescenceIOR,g.iridescenceThicknessMinimum.value=p.iridescenceThicknessMinimum,g.iridescenceThicknessMaximum.value=p.iridescenceThicknessMaximum,p.iridescenceMap&&(g.iridescenceMap.value=p.iridescenceMap,e(p.iridescenceMap,g.iridescenceMapTransform)),p.iridescenceThicknessMap&&(g.iridescenceThicknessMap.value=p.iridescenceThicknessMap,e(p.iridescenceThicknessMap,g.iridescenceThicknessMapTransform))),p.transmission>0&&(g.transmission.value=p.transmission,g.transmissionSamplerMap.value=_.texture,g.transmissionSamplerSize.value.set(_.width,_.height),p.transmissionMap&&(g.transmissionMap.value=p.transmissionMap,e(p.transmissionMap,g.transmissionMapTransform)),g.thickness.value=p.thickness,p.thicknessMap&&(g.thicknessMap.value=p.thicknessMap,e(p.thicknessMap,g.thicknessMapTransform)),g.attenuationDistance.value=p.attenuationDistance,g.attenuationColor.value.copy(p.attenuationColor)),p.anisotropy>0&&(g.anisotropyVector.value.set(p.anisotropy*Math.cos(p.anisotropyRotation),p.anisotropy*Math.sin(p.anisotropyRotation)),p.anisotropyMap&&(g.anisotropyMap.value=p.anisotropyMap,e(p.anisotropyMap,g.anisotropyMapTransform))),g.specularIntensity.value=p.specularIntensity,g.specularColor.value.copy(p.specularColor),p.specularColorMap&&(g.specularColorMap.value=p.specularColorMap,e(p.specularColorMap,g.specularColorMapTransform)),p.specularIntensityMap&&(g.specularIntensityMap.value=p.specularIntensityMap,e(p.specularIntensityMap,g.specularIntensityMapTransform))}function m(g,p){p.matcap&&(g.matcap.value=p.matcap)}function x(g,p){let _=t.get(p).light;g.referencePosition.value.setFromMatrixPosition(_.matrixWorld),g.nearDistance.value=_.shadow.camera.near,g.farDistance.value=_.shadow.camera.far}return{refreshFogUniforms:i,refreshMaterialUniforms:n}}function UA(s,t,e,i){let n={},r={};function o(_,w){let v=w.program;i.uniformBlockBinding(_,v,n[_.id])}function a(_,w){let v=n[_.id];v===void 0&&(m(_),v=l(_),n[_.id]=v,_.addEventListener("dispose",g));let A=w.program;i.updateUBOMapping(_,A);let S=t.render.frame;r[_.id]!==S&&(c(_),r[_.id]=S)}function l(_){let w=s.createBuffer(),v=_.__size,A=_.usage;return s.bindBuffer(s.UNIFORM_BUFFER,w),s.bufferData(s.UNIFORM_BUFFER,v,A),s.bindBuffer(s.UNIFORM_BUFFER,null),w}function c(_){let w=n[_.id],v=_.uniforms,A=_.__cache;s.bindBuffer(s.UNIFORM_BUFFER,w);for(let S=0,y=v.length;S<y;S++){let M=v[S];if(Array.isArray(M))for(let I=0,P=M.length;I<P;I++)h(M[I],S,I,A);else h(M,S,0,A)}s.bindBuffer(s.UNIFORM_BUFFER,null)}function h(_,w,v,A){if(d(_,w,v,A)===!0){let S=_.__offset,y=_.value;if(Array.isArray(y)){let M=0;for(let I=0;I<y.length;I++){let P=y[I],R=x(P,!0);u(P,_.__data,M),M+=R.storage/Float32Array.BYTES_PER_ELEMENT}}else u(y,_.__data,0);s.bufferSubData(s.UNIFORM_BUFFER,S,_.__data)}}function u(_,w,v){typeof _=="number"||typeof _=="boolean"?w[v]=_:_.isMatrix3?(w[v]=_.elements[0],w[v+1]=_.elements[1],w[v+2]=_.elements[2],w[v+3]=0,w[v+4]=_.elements[3],w[v+5]=_.elements[4],w[v+6]=_.elements[5],w[v+7]=0,w[v+8]=_.elements[6],w[v+9]=_.elements[7],w[v+10]=_.elements[8],w[v+11]=0):ArrayBuffer.isView(_)?w.set(_.subarray(0,w.length-v),v):_.toArray(w,v)}function d(_,w,v,A){let S=_.value,y=w+"_"+v;if(Array.isArray(S)){A[y]===void 0&&(A[y]=[]);let M=A[y],I=!1;for(let P=0;P<S.length;P++)f(S[P],M,P)===!0&&(I=!0);return I}return f(S,A,y)}function f(_,w,v){if(w[v]===void 0)return typeof _=="number"||typeof _=="boolean"?w[v]=_:ArrayBuffer.isView(_)?w[v]=_.slice():w[v]=_.clone(),!0;{let A=w[v];if(typeof _=="number"||typeof _=="boolean"){if(A!==_)return w[v]=_,!0}else{if(ArrayBuffer.isView(_))return!0;if(A.equals(_)===!1)return A.copy(_),!0}}return!1}function m(_){let w=_.uniforms,v=0,A=16;for(let y=0,M=w.length;y<M;y++){let I=Array.isArray(w[y])?w[y]:[w[y]];for(let P=0,R=I.length;P<R;P++){let U=I[P],O=Array.isArray(U.value)?U.value:[U.value],L=Array.isArray(w[y])||Array.isArray(U.value),H=v;for(let G=0,it=O.length;G<it;G++){let Y=O[G],J=x(Y,L),Q=v%A,ct=Q%J.boundary,nt=Q+ct;v+=ct,nt!==0&&A-nt<J.storage&&(v+=A-nt),G===0&&(H=v),v+=J.storage}let k=U.type==="int"?Int32Array:U.type==="uint"?Uint32Array:Float32Array;U.__data=new k((v-H)/Float32Array.BYTES_PER_ELEMENT),U.__offset=H}}let S=v%A;return S>0&&(v+=A-S),_.__size=v,_.__cache={},this}function x(_,w){let v={boundary:0,storage:0};return typeof _=="number"||typeof _=="boolean"?(v.boundary=4,v.storage=4):_.isVector2?(v.boundary=8,v.storage=8):_.isVector3||_.isColor?(v.boundary=16,v.storage=12):_.isVector4?(v.boundary=16,v.storage=16):_.isMatrix3?(v.boundary=16,v.storage=48):_.isMatrix4?(v.boundary=16,v.storage=64):_.isTexture?jt("WebGLRenderer: Texture samplers can not be part of an uniforms group."):ArrayBuffer.isView(_)?(v.boundary=16,v.storage=_.byteLength):jt("WebGLRenderer: Unsupported uniform value type.",_),w===!0&&(v.boundary=16,v.storage=Math.ceil(v.storage/16)*16),v}function g(_){let w=_.target;w.removeEventListener("dispose",g),s.deleteBuffer(n[w.id]),delete n[w.id],delete r[w.id]}function p(){for(let _ in n)s.deleteBuffer(n[_]);n={},r={}}return{bind:o,update:a,dispose:p}}var FA=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),ms=null;function OA(){return ms===null&&(ms=new Nr(FA,16,16,lr,Zn),ms.name="DFG_LUT",ms.minFilter=Di,ms.magFilter=Di,ms.wrapS=nn,ms.wrapT=nn,ms.generateMipmaps=!1,ms.needsUpdate=!0),ms}var nu=class{constructor(t={}){let{canvas:e=W0(),context:i=null,depth:n=!0,stencil:r=!1,alpha:o=!1,antialias:a=!1,premultipliedAlpha:l=!0,preserveDrawingBuffer:c=!1,powerPreference:h="default",failIfMajorPerformanceCaveat:u=!1,reversedDepthBuffer:d=!1,outputBufferType:f=ln}=t;this.isWebGLRenderer=!0;let m;if(i!==null){if(typeof WebGLRenderingContext<"u"&&i instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");m=i.getContextAttributes().alpha}else m=o;let x=f,g=new Set([Sh,bh,vh]),p=new Set([ln,Jn,Ko,Hr,xh,yh]),_=new Uint32Array(4),w=new Int32Array(4),v={textures:[],min:[],max:[],resolution:[]},A=null,S=null,y=[],M=[],I=null;this.domElement=e,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=ps,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let P=this,R=!1,U=null,O=null,L=null,H=null;this._outputColorSpace=Le;let k=0,G=0,it=null,Y=-1,J=null,Q=new Ue,ct=new Ue,nt=null,q=new qt(0),st=0,et=e.width,at=e.height,gt=1,Ut=null,Kt=null,kt=new Ue(0,0,et,at),me=new Ue(0,0,et,at),de=!1,ae=new tr,Ze=new th,He=!1,ui=!1,Fe=new Jt,Ei=new V,Se=new Ue,vi={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},ni=!1;function di(){return it===null?gt:1}let z=i;function Rt(C,W){return e.getContext(C,W)}let Qt,ce,wt,Be,Ht,Zt,N,T,j,mt,ut,vt,bt,rt,lt,xt,B,ht,ot,Tt,yt,Mt,Xt;try{let C={alpha:!0,depth:n,stencil:r,antialias:a,premultipliedAlpha:l,preserveDrawingBuffer:c,powerPreference:h,failIfMajorPerformanceCaveat:u};if("setAttribute"in e&&e.setAttribute("data-engine",`three.js r${"187"}`),e.addEventListener("webglcontextlost",Bt,!1),e.addEventListener("webglcontextrestored",ie,!1),e.addEventListener("webglcontextcreationerror",Ct,!1),z===null){let W="webgl2";if(z=Rt(W,C),z===null)throw Rt(W)?new Error("THREE.WebGLRenderer: Error creating WebGL context with your selected attributes."):new Error("THREE.WebGLRenderer: Error creating WebGL context.")}ee()}catch(C){throw e.removeEventListener("webglcontextlost",Bt,!1),e.removeEventListener("webglcontextrestored",ie,!1),e.removeEventListener("webglcontextcreationerror",Ct,!1),ne("WebGLRenderer: "+C.message),C}function ee(){Qt=new jw(z),Qt.init(),yt=new PA(z,Qt),ce=new Ow(z,Qt,t,yt),wt=new CA(z,Qt),ce.reversedDepthBuffer&&d&&wt.buffers.depth.setReversed(!0),O=z.createFramebuffer(),L=z.createFramebuffer(),H=z.createFramebuffer(),Be=new Zw(z),Ht=new pA,Zt=new RA(z,Qt,wt,Ht,ce,yt,Be),N=new Yw(P),T=new Qb(z),Mt=new Uw(z,T),j=new $w(z,T,Be,Mt),mt=new Qw(z,j,T,Mt,Be),ht=new Kw(z,ce,Zt),lt=new kw(Ht),ut=new fA(P,N,Qt,ce,Mt,lt),vt=new DA(P,Ht),bt=new gA,rt=new SA(Qt),B=new Dw(P,N,wt,mt,m,l),xt=new EA(P,mt,ce),Xt=new UA(z,Be,ce,wt),ot=new Fw(z,Qt,Be),Tt=new Jw(z,Qt,Be),Be.programs=ut.programs,P.capabilities=ce,P.extensions=Qt,P.properties=Ht,P.renderLists=bt,P.shadowMap=xt,P.state=wt,P.info=Be}x!==ln&&(I=new eT(x,e.width,e.height,a,n,r));let pt=new Kf(P,z);this.xr=pt,this.getContext=function(){return z},this.getContextAttributes=function(){return z.getContextAttributes()},this.forceContextLoss=function(){let C=Qt.get("WEBGL_lose_context");C&&C.loseContext()},this.forceContextRestore=function(){let C=Qt.get("WEBGL_lose_context");C&&C.restoreContext()},this.getPixelRatio=function(){return gt},this.setPixelRatio=function(C){C!==void 0&&(gt=C,this.setSize(et,at,!1))},this.getSize=function(C){return C.set(et,at)},this.setSize=function(C,W,tt=!0){if(pt.isPresenting){jt("WebGLRenderer: Can't change size while VR device is presenting.");return}et=C,at=W,e.width=Math.floor(C*gt),e.height=Math.floor(W*gt),tt===!0&&(e.style.width=C+"px",e.style.height=W+"px"),I!==null&&I.setSize(e.width,e.height),this.setViewport(0,0,C,W)},this.getDrawingBufferSize=function(C){return C.set(et*gt,at*gt).floor()},this.setDrawingBufferSize=function(C,W,tt){et=C,at=W,gt=tt,e.width=Math.floor(C*tt),e.height=Math.floor(W*tt),this.setViewport(0,0,C,W)},this.setEffects=function(C){if(x===ln){ne("WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.");return}if(C){for(let W=0;W<C.length;W++)if(C[W].isOutputPass===!0){jt("WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.");break}}I.setEffects(C||[])},this.getCurrentViewport=function(C){return C.copy(Q)},this.getViewport=function(C){return C.copy(kt)},this.setViewport=function(C,W,tt,$){C.isVector4?kt.set(C.x,C.y,C.z,C.w):kt.set(C,W,tt,$),wt.viewport(Q.copy(kt).multiplyScalar(di()).round())},this.getScissor=function(C){return C.copy(me)},this.setScissor=function(C,W,tt,$){C.isVector4?me.set(C.x,C.y,C.z,C.w):me.set(C,W,tt,$),wt.scissor(ct.copy(me).multiplyScalar(di()).round())},this.getScissorTest=function(){return de},this.setScissorTest=function(C){wt.setScissorTest(de=C)},this.setOpaqueSort=function(C){Ut=C},this.setTransparentSort=function(C){Kt=C},this.getClearColor=function(C){return C.copy(B.getClearColor())},this.setClearColor=function(){B.setClearColor(...arguments)},this.getClearAlpha=function(){return B.getClearAlpha()},this.setClearAlpha=function(){B.setClearAlpha(...arguments)},this.clear=function(C=!0,W=!0,tt=!0){let $=0;if(C){let Z=!1;if(it!==null){let At=it.texture.format;Z=g.has(At)}if(Z){let At=it.texture.type,Pt=p.has(At),Et=B.getClearColor(),It=B.getClearAlpha(),Gt=Et.r,se=Et.g,ge=Et.b;Pt?(_[0]=Gt,_[1]=se,_[2]=ge,_[3]=It,z.clearBufferuiv(z.COLOR,0,_)):(w[0]=Gt,w[1]=se,w[2]=ge,w[3]=It,z.clearBufferiv(z.COLOR,0,w))}else $|=z.COLOR_BUFFER_BIT}W&&($|=z.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),tt&&($|=z.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),$!==0&&z.clear($)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(C){C.setRenderer(this),U=C},this.dispose=function(){e.removeEventListener("webglcontextlost",Bt,!1),e.removeEventListener("webglcontextrestored",ie,!1),e.removeEventListener("webglcontextcreationerror",Ct,!1),B.dispose(),bt.dispose(),rt.dispose(),Zt.dispose(),Ht.dispose(),N.dispose(),mt.dispose(),j.dispose(),Mt.dispose(),Xt.dispose(),ut.dispose(),pt.dispose(),pt.removeEventListener("sessionstart",Al),pt.removeEventListener("sessionend",Kn),_s.stop()};function Bt(C){C.preventDefault(),Uf("WebGLRenderer: Context Lost."),R=!0}function ie(){Uf("WebGLRenderer: Context Restored."),R=!1;let C=Be.autoReset,W=xt.enabled,tt=xt.autoUpdate,$=xt.needsUpdate,Z=xt.type;ee(),Be.autoReset=C,xt.enabled=W,xt.autoUpdate=tt,xt.needsUpdate=$,xt.type=Z}function Ct(C){ne("WebGLRenderer: A WebGL context could not be created. Reason: ",C.statusMessage)}function he(C){let W=C.target;W.removeEventListener("dispose",he),Xe(W)}function Xe(C){Ji(C),Ht.remove(C)}function Ji(C){let W=Ht.get(C).programs;W!==void 0&&(W.forEach(function(tt){ut.releaseProgram(tt)}),C.isShaderMaterial&&ut.releaseShaderCache(C))}this.renderBufferDirect=function(C,W,tt,$,Z,At){W===null&&(W=vi);let Pt=Z.isMesh&&Z.matrixWorld.determinantAffine()<0,Et=aa(C,W,tt,$,Z);wt.setMaterial($,Pt);let It=tt.index,Gt=1;if($.wireframe===!0){if(It=j.getWireframeAttribute(tt),It===void 0)return;Gt=2}let se=tt.drawRange,ge=tt.attributes.position,zt=se.start*Gt,_e=(se.start+se.count)*Gt;At!==null&&(zt=Math.max(zt,At.start*Gt),_e=Math.min(_e,(At.start+At.count)*Gt)),It!==null?(zt=Math.max(zt,0),_e=Math.min(_e,It.count)):ge!=null&&(zt=Math.max(zt,0),_e=Math.min(_e,ge.count));let ti=_e-zt;if(ti<0||ti===1/0)return;Mt.setup(Z,$,Et,tt,It);let Pe,Ie=ot;if(It!==null&&(Pe=T.get(It),Ie=Tt,Ie.setIndex(Pe)),Z.isMesh)$.wireframe===!0?(wt.setLineWidth($.wireframeLinewidth*di()),Ie.setMode(z.LINES)):Ie.setMode(z.TRIANGLES);else if(Z.isLine){let bi=$.linewidth;bi===void 0&&(bi=1),wt.setLineWidth(bi*di()),Z.isLineSegments?Ie.setMode(z.LINES):Z.isLineLoop?Ie.setMode(z.LINE_LOOP):Ie.setMode(z.LINE_STRIP)}else Z.isPoints?Ie.setMode(z.POINTS):Z.isSprite&&Ie.setMode(z.TRIANGLES);if(Z.isBatchedMesh)if(Qt.get("WEBGL_multi_draw"))Ie.renderMultiDraw(Z._multiDrawStarts,Z._multiDrawCounts,Z._multiDrawCount);else{let bi=Z._multiDrawStarts,Ft=Z._multiDrawCounts,fi=Z._multiDrawCount,ve=It?T.get(It).bytesPerElement:1,ys=Ht.get($).currentProgram.getUniforms();for(let pi=0;pi<fi;pi++)ys.setValue(z,"_gl_DrawID",pi),Ie.render(bi[pi]/ve,Ft[pi])}else if(Z.isInstancedMesh)Ie.renderInstances(zt,ti,Z.count);else if(tt.isInstancedBufferGeometry){let bi=tt._maxInstanceCount!==void 0?tt._maxInstanceCount:1/0,Ft=Math.min(tt.instanceCount,bi);Ie.renderInstances(zt,ti,Ft)}else Ie.render(zt,ti)};function sa(C,W,tt,$){U!==null&&C.isNodeMaterial&&U.setObject($,C),He===!0&&lt.setState(C,tt,!1),C.transparent===!0&&C.side===Nn&&C.forceSinglePass===!1?(C.side=rn,C.needsUpdate=!0,Qn(C,W,$),C.side=fs,C.needsUpdate=!0,Qn(C,W,$),C.side=Nn):Qn(C,W,$)}this.compile=function(C,W,tt=null){tt===null&&(tt=C),U!==null&&U.renderStart(C,W,tt),S=rt.get(tt),S.init(W),M.push(S),tt.traverseVisible(function(Z){Z.isLight&&Z.layers.test(W.layers)&&(S.pushLight(Z),Z.castShadow&&S.pushShadow(Z))}),C!==tt&&C.traverseVisible(function(Z){Z.isLight&&Z.layers.test(W.layers)&&(S.pushLight(Z),Z.castShadow&&S.pushShadow(Z))}),S.setupLights(),U!==null&&U.updateLights(S.state.lightsArray),ui=this.localClippingEnabled,He=lt.init(this.clippingPlanes,ui),He===!0&&lt.setGlobalState(this.clippingPlanes,W),U!==null&&xt.render(S.state.shadowsArray,tt,W);let $=new Set;return C.traverse(function(Z){if(!(Z.isMesh||Z.isPoints||Z.isLine||Z.isSprite))return;let At=Z.material;if(At)if(Array.isArray(At))for(let Pt=0;Pt<At.length;Pt++){let Et=At[Pt];sa(Et,tt,W,Z),$.add(Et)}else sa(At,tt,W,Z),$.add(At)}),S=M.pop(),U!==null&&U.renderEnd(),$},this.compileAsync=function(C,W,tt=null){let $=this.compile(C,W,tt);return new Promise(Z=>{function At(){if($.forEach(function(Pt){let It=Ht.get(Pt).currentProgram;(It===void 0||It.isReady())&&$.delete(Pt)}),$.size===0){Z(C);return}setTimeout(At,10)}Qt.get("KHR_parallel_shader_compile")!==null?At():setTimeout(At,10)})};let Xr=null;function Eu(C){Xr&&Xr(C)}function Al(){_s.stop()}function Kn(){_s.start()}let _s=new w_;_s.setAnimationLoop(Eu),typeof self<"u"&&_s.setContext(self),this.setAnimationLoop=function(C){Xr=C,pt.setAnimationLoop(C),C===null?_s.stop():_s.start()},pt.addEventListener("sessionstart",Al),pt.addEventListener("sessionend",Kn),this.render=function(C,W){if(W!==void 0&&W.isCamera!==!0){ne("WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(R===!0)return;U!==null&&U.renderStart(C,W);let tt=pt.enabled===!0&&pt.isPresenting===!0,$=I!==null&&(it===null||tt)&&I.begin(P,it);if(C.matrixWorldAutoUpdate===!0&&C.updateMatrixWorld(),W.parent===null&&W.matrixWorldAutoUpdate===!0&&W.updateMatrixWorld(),pt.enabled===!0&&pt.isPresenting===!0&&(I===null||I.isCompositing()===!1)&&(pt.cameraAutoUpdate===!0&&pt.updateCamera(W),W=pt.getCamera()),C.isScene===!0&&C.onBeforeRender(P,C,W,it),S=rt.get(C,M.length),S.init(W),S.state.textureUnits=Zt.getTextureUnits(),M.push(S),Fe.multiplyMatrices(W.projectionMatrix,W.matrixWorldInverse),W.isArrayCamera?Ze.setFromArrayCamera(W):ae.setFromProjectionMatrix(Fe,Pn,W.reversedDepth),ui=this.localClippingEnabled,He=lt.init(this.clippingPlanes,ui),A=bt.get(C,y.length),A.init(),y.push(A),this.info.render.frame++,pt.enabled===!0&&pt.isPresenting===!0){let Pt=P.xr.getDepthSensingMesh();Pt!==null&&xs(Pt,W,-1/0,P.sortObjects)}xs(C,W,0,P.sortObjects),A.finish(),U!==null&&U.updateLights(S.state.lightsArray),P.sortObjects===!0&&A.sort(Ut,Kt),ni=pt.enabled===!1||pt.isPresenting===!1||pt.hasDepthSensing()===!1,ni&&B.addToRenderList(A,C),this.info.autoReset===!0&&this.info.reset(),He===!0&&lt.beginShadows();let Z=S.state.shadowsArray;if(xt.render(Z,C,W),He===!0&&lt.endShadows(),($&&I.hasRenderPass())===!1){let Pt=A.opaque,Et=A.transmissive;if(S.setupLights(),W.isArrayCamera){let It=W.cameras;if(Et.length>0)for(let Gt=0,se=It.length;Gt<se;Gt++){let ge=It[Gt];On(Pt,Et,C,ge)}ni&&B.render(C);for(let Gt=0,se=It.length;Gt<se;Gt++){let ge=It[Gt];ra(A,C,ge,ge.viewport)}}else Et.length>0&&On(Pt,Et,C,W),ni&&B.render(C),ra(A,C,W)}it!==null&&G===0&&(Zt.updateMultisampleRenderTarget(it),Zt.updateRenderTargetMipmap(it)),$&&I.end(P),C.isScene===!0&&C.onAfterRender(P,C,W),Mt.resetDefaultState(),Y=-1,J=null,M.pop(),M.length>0?(S=M[M.length-1],Zt.setTextureUnits(S.state.textureUnits),He===!0&&lt.setGlobalState(P.clippingPlanes,S.state.camera)):S=null,y.pop(),y.length>0?A=y[y.length-1]:A=null,U!==null&&U.renderEnd()};function xs(C,W,tt,$){if(C.visible===!1)return;if(C.layers.test(W.layers)){if(C.isGroup)tt=C.renderOrder;else if(C.isLOD)C.autoUpdate===!0&&C.update(W);else if(C.isLight)S.pushLight(C),C.castShadow&&S.pushShadow(C);else if(C.isSprite){let Pt=W.isArrayCamera?Ze:ae;if(!C.frustumCulled||C.intersectsFrustum(Pt)){$&&Se.setFromMatrixPosition(C.matrixWorld).applyMatrix4(Fe);let Et=mt.update(C),It=C.material;It.visible&&A.push(C,Et,It,tt,Se.z,null,W)}}else if(C.isMesh||C.isLine||C.isPoints){let Pt=W.isArrayCamera?Ze:ae;if(!C.frustumCulled||C.intersectsFrustum(Pt)){let Et=mt.update(C),It=C.material;if($&&(C.boundingSphere!==void 0?(C.boundingSphere===null&&C.computeBoundingSphere(),Se.copy(C.boundingSphere.center)):(Et.boundingSphere===null&&Et.computeBoundingSphere(),Se.copy(Et.boundingSphere.center)),Se.applyMatrix4(C.matrixWorld).applyMatrix4(Fe)),Array.isArray(It)){let Gt=Et.groups;for(let se=0,ge=Gt.length;se<ge;se++){let zt=Gt[se],_e=It[zt.materialIndex];_e&&_e.visible&&A.push(C,Et,_e,tt,Se.z,zt,W)}}else It.visible&&A.push(C,Et,It,tt,Se.z,null,W)}}}let At=C.children;for(let Pt=0,Et=At.length;Pt<Et;Pt++)xs(At[Pt],W,tt,$)}function ra(C,W,tt,$){let{opaque:Z,transmissive:At,transparent:Pt}=C;S.setupLightsView(tt),He===!0&&lt.setGlobalState(P.clippingPlanes,tt),$&&wt.viewport(Q.copy($)),Z.length>0&&si(Z,W,tt),At.length>0&&si(At,W,tt),Pt.length>0&&si(Pt,W,tt),wt.buffers.depth.setTest(!0),wt.buffers.depth.setMask(!0),wt.buffers.color.setMask(!0),wt.setPolygonOffset(!1)}function On(C,W,tt,$){if((tt.isScene===!0?tt.overrideMaterial:null)!==null)return;if(S.state.transmissionRenderTarget[$.id]===void 0){let zt=Qt.has("EXT_color_buffer_half_float")||Qt.has("EXT_color_buffer_float");S.state.transmissionRenderTarget[$.id]=new Mn(1,1,{generateMipmaps:!0,type:zt?Zn:ln,minFilter:Ln,samples:Math.max(4,ce.samples),stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:ue.workingColorSpace})}let At=S.state.transmissionRenderTarget[$.id],Pt=$.viewport||Q;At.setSize(Pt.z*P.transmissionResolutionScale,Pt.w*P.transmissionResolutionScale);let Et=P.getRenderTarget(),It=P.getActiveCubeFace(),Gt=P.getActiveMipmapLevel();P.setRenderTarget(At),P.getClearColor(q),st=P.getClearAlpha(),st<1&&P.setClearColor(16777215,.5),P.clear(),ni&&B.render(tt);let se=P.toneMapping;P.toneMapping=ps;let ge=$.viewport;if($.viewport!==void 0&&($.viewport=void 0),S.setupLightsView($),He===!0&&lt.setGlobalState(P.clippingPlanes,$),si(C,tt,$),Zt.updateMultisampleRenderTarget(At),Zt.updateRenderTargetMipmap(At),Qt.has("WEBGL_multisampled_render_to_texture")===!1){let zt=!1;for(let _e=0,ti=W.length;_e<ti;_e++){let Pe=W[_e],{object:Ie,geometry:bi,material:Ft,group:fi}=Pe;if(Ft.side===Nn&&Ie.layers.test($.layers)){let ve=Ft.side;Ft.side=rn,Ft.needsUpdate=!0,ci(Ie,tt,$,bi,Ft,fi),Ft.side=ve,Ft.needsUpdate=!0,zt=!0}}zt===!0&&(Zt.updateMultisampleRenderTarget(At),Zt.updateRenderTargetMipmap(At))}P.setRenderTarget(Et,It,Gt),P.setClearColor(q,st),ge!==void 0&&($.viewport=ge),P.toneMapping=se}function si(C,W,tt){let $=W.isScene===!0?W.overrideMaterial:null;for(let Z=0,At=C.length;Z<At;Z++){let Pt=C[Z],{object:Et,geometry:It,group:Gt}=Pt,se=Pt.material;se.allowOverride===!0&&$!==null&&(se=$),Et.layers.test(tt.layers)&&ci(Et,W,tt,It,se,Gt)}}function ci(C,W,tt,$,Z,At){U!==null&&Z.isNodeMaterial&&U.setObject(C,Z),C.onBeforeRender(P,W,tt,$,Z,At),C.modelViewMatrix.multiplyMatrices(tt.matrixWorldInverse,C.matrixWorld),C.normalMatrix.getNormalMatrix(C.modelViewMatrix),Z.onBeforeRender(P,W,tt,$,C,At),Z.transparent===!0&&Z.side===Nn&&Z.forceSinglePass===!1?(Z.side=rn,Z.needsUpdate=!0,P.renderBufferDirect(tt,W,$,Z,C,At),Z.side=fs,Z.needsUpdate=!0,P.renderBufferDirect(tt,W,$,Z,C,At),Z.side=Nn):P.renderBufferDirect(tt,W,$,Z,C,At),C.onAfterRender(P,W,tt,$,Z,At)}function hi(C){let W=0;for(let tt of C)tt.texture!==null&&W++;return W}function Qn(C,W,tt){W.isScene!==!0&&(W=vi);let $=Ht.get(C),Z=S.state.lights,At=S.state.shadowsArray,Pt=Z.state.version,Et=ut.getParameters(C,Z.state,At,W,tt,S.state.lightProbeGridArray),It=ut.getProgramCacheKey(Et),Gt=$.programs;$.environment=C.isMeshStandardMaterial||C.isMeshLambertMaterial||C.isMeshPhongMaterial?W.environment:null,$.fog=W.fog;let se=C.isMeshStandardMaterial||C.isMeshLambertMaterial&&!C.envMap||C.isMeshPhongMaterial&&!C.envMap;$.envMap=N.get(C.envMap||$.environment,se),$.envMapRotation=$.environment!==null&&C.envMap===null?W.environmentRotation:C.envMapRotation,Gt===void 0&&(C.addEventListener("dispose",he),Gt=new Map,$.programs=Gt,$.programVariants=new Map);let ge=Gt.get(It);if(ge!==void 0){if($.currentProgram===ge&&$.lightsStateVersion===Pt)return oa(C,Et),ge}else Et.uniforms=ut.getUniforms(C),U!==null&&C.isNodeMaterial&&U.build(C,tt,Et),C.onBeforeCompile(Et,P),ge=ut.acquireProgram(Et,It),Gt.set(It,ge),$.uniforms=Et.uniforms;let zt=$.uniforms;return(!C.isShaderMaterial&&!C.isRawShaderMaterial||C.clipping===!0)&&(zt.clippingPlanes=lt.uniform),oa(C,Et),$.needsLights=Vs(C),$.lightsStateVersion=Pt,$.needsLights&&(zt.ambientLightColor.value=Z.state.ambient,zt.lightProbe.value=Z.state.probe,zt.sunLights.value=Z.state.sun,zt.sunLightShadows.value=Z.state.sunShadow,zt.directionalLights.value=Z.state.directional,zt.directionalLightShadows.value=Z.state.directionalShadow,zt.spotLights.value=Z.state.spot,zt.spotLightShadows.value=Z.state.spotShadow,zt.rectAreaLights.value=Z.state.rectArea,zt.ltc_1.value=Z.state.rectAreaLTC1,zt.ltc_2.value=Z.state.rectAreaLTC2,zt.pointLights.value=Z.state.point,zt.pointLightShadows.value=Z.state.pointShadow,zt.hemisphereLights.value=Z.state.hemi,zt.sunShadowMatrix.value=Z.state.sunShadowMatrix,zt.sunShadowCascade.value=Z.state.sunShadowCascade,zt.directionalShadowMatrix.value=Z.state.directionalShadowMatrix,zt.spotLightMatrix.value=Z.state.spotLightMatrix,zt.spotLightMap.value=Z.state.spotLightMap,zt.pointShadowMatrix.value=Z.state.pointShadowMatrix),$.numLightProbeGrids=hi(S.state.lightProbeGridArray),$.currentProgram=ge,$.uniformsList=null,ge}function dn(C,W,tt,$,Z){let At=Ht.get(C),Pt=At.currentProgram.id+","+$+","+Z,Et=At.programVariants.get(Pt);return Et===void 0?(Et=Qn(C,W,tt),At.programVariants.set(Pt,Et)):(At.currentProgram=Et,At.uniformsList=null,At.outputColorSpace=$,At.toneMapping=Z),Et}function zs(C){if(C.uniformsList===null){let W=C.currentProgram.getUniforms();C.uniformsList=Qo.seqWithValue(W.seq,C.uniforms)}return C.uniformsList}function oa(C,W){let tt=Ht.get(C);tt.outputColorSpace=W.outputColorSpace,tt.batching=W.batching,tt.batchingColor=W.batchingColor,tt.instancing=W.instancing,tt.instancingColor=W.instancingColor,tt.instancingMorph=W.instancingMorph,tt.skinning=W.skinning,tt.morphTargets=W.morphTargets,tt.morphNormals=W.morphNormals,tt.morphColors=W.morphColors,tt.morphTargetsCount=W.morphTargetsCount,tt.numClippingPlanes=W.numClippingPlanes,tt.numIntersection=W.numClipIntersection,tt.vertexAlphas=W.vertexAlphas,tt.vertexTangents=W.vertexTangents,tt.toneMapping=W.toneMapping}function aa(C,W,tt,$,Z){W.isScene!==!0&&(W=vi),Zt.resetTextureUnits();let At=W.fog,Pt=$.isMeshStandardMaterial||$.isMeshLambertMaterial||$.isMeshPhongMaterial?W.environment:null,Et=it===null?P.outputColorSpace:it.isXRRenderTarget===!0?it.texture.colorSpace:ue.workingColorSpace,It=$.isMeshStandardMaterial||$.isMeshLambertMaterial&&!$.envMap||$.isMeshPhongMaterial&&!$.envMap,Gt=N.get($.envMap||Pt,It),se=$.vertexColors===!0&&!!tt.attributes.color&&tt.attributes.color.itemSize===4,ge=!!tt.attributes.tangent&&(!!$.normalMap||$.anisotropy>0),zt=!!tt.morphAttributes.position,_e=!!tt.morphAttributes.normal,ti=!!tt.morphAttributes.color,Pe=ps;$.toneMapped&&(it===null||it.isXRRenderTarget===!0)&&(Pe=P.toneMapping);let Ie=tt.morphAttributes.position||tt.morphAttributes.normal||tt.morphAttributes.color,bi=Ie!==void 0?Ie.length:0,Ft=Ht.get($),fi=S.state.lights;if(He===!0&&(ui===!0||C!==J)){let Ne=C===J&&$.id===Y;lt.setState($,C,Ne)}let ve=!1,ys=!1;$.version===Ft.__version?Ft.needsLights&&Ft.lightsStateVersion!==fi.state.version||Z.isBatchedMesh&&Ft.batching===!1||!Z.isBatchedMesh&&Ft.batching===!0||Z.isBatchedMesh&&Ft.batchingColor===!0&&Z._colorsTexture===null||Z.isBatchedMesh&&Ft.batchingColor===!1&&Z._colorsTexture!==null||Z.isInstancedMesh&&Ft.instancing===!1||!Z.isInstancedMesh&&Ft.instancing===!0||Z.isSkinnedMesh&&Ft.skinning===!1||!Z.isSkinnedMesh&&Ft.skinning===!0||Z.isInstancedMesh&&Ft.instancingColor===!0&&Z.instanceColor===null||Z.isInstancedMesh&&Ft.instancingColor===!1&&Z.instanceColor!==null||Z.isInstancedMesh&&Ft.instancingMorph===!0&&Z.morphTexture===null||Z.isInstancedMesh&&Ft.instancingMorph===!1&&Z.morphTexture!==null||Ft.envMap!==Gt||$.fog===!0&&Ft.fog!==At||Ft.numClippingPlanes!==void 0&&(Ft.numClippingPlanes!==lt.numPlanes||Ft.numIntersection!==lt.numIntersection)||Ft.vertexAlphas!==se||Ft.vertexTangents!==ge||Ft.morphTargets!==zt||Ft.morphNormals!==_e||Ft.morphColors!==ti||Ft.morphTargetsCount!==bi||Ft.numLightProbeGrids!==hi(S.state.lightProbeGridArray)?ve=!0:(Ft.outputColorSpace!==Et||Ft.toneMapping!==Pe)&&(ys=!0):(ve=!0,Ft.__version=$.version);let pi=Ft.currentProgram;(ve===!0||ys===!0)&&(pi=ys===!0?dn($,W,Z,Et,Pe):Qn($,W,Z),U&&$.isNodeMaterial&&U.onUpdateProgram($,pi,Ft));let jr=!1,ts=!1,vs=!1,fe=pi.getUniforms(),ri=Ft.uniforms;if(wt.useProgram(pi.program)&&(jr=!0,ts=!0,vs=!0),$.id!==Y&&(Y=$.id,ts=!0),jr||J!==C){wt.buffers.depth.getReversed()&&C.reversedDepth!==!0&&(C._reversedDepth=!0,C.updateProjectionMatrix()),fe.setValue(z,"projectionMatrix",C.projectionMatrix),fe.setValue(z,"viewMatrix",C.matrixWorldInverse);let mi=fe.map.cameraPosition;mi!==void 0&&mi.setValue(z,Ei.setFromMatrixPosition(C.matrixWorld)),ce.logarithmicDepthBuffer&&fe.setValue(z,"logDepthBufFC",2/(Math.log(C.far+1)/Math.LN2)),($.isMeshPhongMaterial||$.isMeshToonMaterial||$.isMeshLambertMaterial||$.isMeshBasicMaterial||$.isMeshStandardMaterial||$.isShaderMaterial)&&fe.setValue(z,"isOrthographic",C.isOrthographicCamera===!0),J!==C&&(J=C,ts=!0,vs=!0)}if(Ft.needsLights&&(fi.state.sunShadowMap.length>0&&fe.setValue(z,"sunShadowMap",fi.state.sunShadowMap,Zt),fi.state.directionalShadowMap.length>0&&fe.setValue(z,"directionalShadowMap",fi.state.directionalShadowMap,Zt),fi.state.spotShadowMap.length>0&&fe.setValue(z,"spotShadowMap",fi.state.spotShadowMap,Zt),fi.state.pointShadowMap.length>0&&fe.setValue(z,"pointShadowMap",fi.state.pointShadowMap,Zt)),Z.isSkinnedMesh){fe.setOptional(z,Z,"bindMatrix"),fe.setOptional(z,Z,"bindMatrixInverse");let Ne=Z.skeleton;Ne&&(Ne.boneTexture===null&&Ne.computeBoneTexture(),fe.setValue(z,"boneTexture",Ne.boneTexture,Zt))}Z.isBatchedMesh&&(fe.setOptional(z,Z,"batchingTexture"),fe.setValue(z,"batchingTexture",Z._matricesTexture,Zt),fe.setOptional(z,Z,"batchingIdTexture"),fe.setValue(z,"batchingIdTexture",Z._indirectTexture,Zt),fe.setOptional(z,Z,"batchingColorTexture"),Z._colorsTexture!==null&&fe.setValue(z,"batchingColorTexture",Z._colorsTexture,Zt));let Zi=tt.morphAttributes;if((Zi.position!==void 0||Zi.normal!==void 0||Zi.color!==void 0)&&ht.update(Z,tt,pi),(ts||Ft.receiveShadow!==Z.receiveShadow)&&(Ft.receiveShadow=Z.receiveShadow,fe.setValue(z,"receiveShadow",Z.receiveShadow)),($.isMeshStandardMaterial||$.isMeshLambertMaterial||$.isMeshPhongMaterial)&&$.envMap===null&&W.environment!==null&&(ri.envMapIntensity.value=W.environmentIntensity),ri.dfgLUT!==void 0&&(ri.dfgLUT.value=OA()),ts){if(fe.setValue(z,"toneMappingExposure",P.toneMappingExposure),Ft.needsLights&&qr(ri,vs),At&&$.fog===!0&&vt.refreshFogUniforms(ri,At),vt.refreshMaterialUniforms(ri,$,gt,at,S.state.transmissionRenderTarget[C.id]),Ft.needsLights&&Ft.numLightProbeGrids>0){let Ne=v,mi=0;for(let Vi of S.state.lightProbeGridArray)Vi.texture!==null&&(Ne.textures[mi]=Vi.texture,Ne.min[mi]=Vi.boundingBox.min,Ne.max[mi]=Vi.boundingBox.max,Ne.resolution[mi]=Vi.resolution,mi++);for(let Vi in Ne)Ne[Vi].length=mi;ri.probesSH.value=Ne.textures,ri.probesMin.value=Ne.min,ri.probesMax.value=Ne.max,ri.probesResolution.value=Ne.resolution}Qo.upload(z,zs(Ft),ri,Zt)}if($.isShaderMaterial&&$.uniformsNeedUpdate===!0&&(Qo.upload(z,zs(Ft),ri,Zt),$.uniformsNeedUpdate=!1),$.isSpriteMaterial&&fe.setValue(z,"center",Z.center),fe.setValue(z,"modelViewMatrix",Z.modelViewMatrix),fe.setValue(z,"normalMatrix",Z.normalMatrix),fe.setValue(z,"modelMatrix",Z.matrixWorld),$.uniformsGroups!==void 0){let Ne=$.uniformsGroups;for(let mi=0,Vi=Ne.length;mi<Vi;mi++){let El=Ne[mi];Xt.update(El,pi),Xt.bind(El,pi)}}return pi}function qr(C,W){C.ambientLightColor.needsUpdate=W,C.lightProbe.needsUpdate=W,C.sunLights.needsUpdate=W,C.sunLightShadows.needsUpdate=W,C.directionalLights.needsUpdate=W,C.directionalLightShadows.needsUpdate=W,C.pointLights.needsUpdate=W,C.pointLightShadows.needsUpdate=W,C.spotLights.needsUpdate=W,C.spotLightShadows.needsUpdate=W,C.rectAreaLights.needsUpdate=W,C.hemisphereLights.needsUpdate=W}function Vs(C){return C.isMeshLambertMaterial||C.isMeshToonMaterial||C.isMeshPhongMaterial||C.isMeshStandardMaterial||C.isShadowMaterial||C.isShaderMaterial&&C.lights===!0}this.getActiveCubeFace=function(){return k},this.getActiveMipmapLevel=function(){return G},this.getRenderTarget=function(){return it},this.setRenderTargetTextures=function(C,W,tt){let $=Ht.get(C);$.__autoAllocateDepthBuffer=C.resolveDepthBuffer===!1,$.__autoAllocateDepthBuffer===!1&&($.__useRenderToTexture=!1),Ht.get(C.texture).__webglTexture=W,Ht.get(C.depthTexture).__webglTexture=$.__autoAllocateDepthBuffer?void 0:tt,$.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(C,W){let tt=Ht.get(C);tt.__webglFramebuffer=W,tt.__useDefaultFramebuffer=W===void 0},this.setRenderTarget=function(C,W=0,tt=0){it=C,k=W,G=tt;let $=null,Z=!1,At=!1;if(C){let Et=Ht.get(C);if(Et.__useDefaultFramebuffer!==void 0){wt.bindFramebuffer(z.FRAMEBUFFER,Et.__webglFramebuffer),Q.copy(C.viewport),ct.copy(C.scissor),nt=C.scissorTest,wt.viewport(Q),wt.scissor(ct),wt.setScissorTest(nt),Y=-1;return}else if(Et.__webglFramebuffer===void 0)Zt.setupRenderTarget(C);else if(Et.__hasExternalTextures)Zt.rebindTextures(C,Ht.get(C.texture).__webglTexture,Ht.get(C.depthTexture).__webglTexture);else if(C.depthBuffer){let se=C.depthTexture;if(Et.__boundDepthTexture!==se){if(se!==null&&Ht.has(se)&&(C.width!==se.image.width||C.height!==se.image.height))throw new Error("THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.");Zt.setupDepthRenderbuffer(C)}}let It=C.texture;(It.isData3DTexture||It.isDataArrayTexture||It.isCompressedArrayTexture)&&(At=!0);let Gt=Ht.get(C).__webglFramebuffer;C.isWebGLCubeRenderTarget?(Array.isArray(Gt[W])?$=Gt[W][tt]:$=Gt[W],Z=!0):C.samples>0&&Zt.useMultisampledRTT(C)===!1?$=Ht.get(C).__webglMultisampledFramebuffer:Array.isArray(Gt)?$=Gt[tt]:$=Gt,Q.copy(C.viewport),ct.copy(C.scissor),nt=C.scissorTest}else Q.copy(kt).multiplyScalar(gt).floor(),ct.copy(me).multiplyScalar(gt).floor(),nt=de;if(tt!==0&&($=O),wt.bindFramebuffer(z.FRAMEBUFFER,$)&&wt.drawBuffers(C,$),wt.viewport(Q),wt.scissor(ct),wt.setScissorTest(nt),Z){let Et=Ht.get(C.texture);z.framebufferTexture2D(z.FRAMEBUFFER,z.COLOR_ATTACHMENT0,z.TEXTURE_CUBE_MAP_POSITIVE_X+W,Et.__webglTexture,tt)}else if(At){let Et=W;for(let It=0;It<C.textures.length;It++){let Gt=Ht.get(C.textures[It]);z.framebufferTextureLayer(z.FRAMEBUFFER,z.COLOR_ATTACHMENT0+It,Gt.__webglTexture,tt,Et)}}else if(C!==null&&tt!==0){let Et=Ht.get(C.texture);z.framebufferTexture2D(z.FRAMEBUFFER,z.COLOR_ATTACHMENT0,z.TEXTURE_2D,Et.__webglTexture,tt)}Y=-1};function Yr(C){let W=Ht.get(C);return(W.__readFormat!==C.format||W.__readType!==C.type)&&(W.__readFormat=C.format,W.__readType=C.type,W.__formatReadable=ce.textureFormatReadable(C.format),W.__typeReadable=ce.textureTypeReadable(C.type)),W}this.readRenderTargetPixels=function(C,W,tt,$,Z,At,Pt,Et=0){if(!(C&&C.isWebGLRenderTarget)){ne("WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let It=Ht.get(C).__webglFramebuffer;if(C.isWebGLCubeRenderTarget&&Pt!==void 0&&(It=It[Pt],Array.isArray(It)&&(It=It[0])),It){wt.bindFramebuffer(z.FRAMEBUFFER,It);try{let Gt=C.textures[Et],se=Gt.format,ge=Gt.type;C.textures.length>1&&z.readBuffer(z.COLOR_ATTACHMENT0+Et);let zt=Yr(Gt);if(zt.__formatReadable===!1){ne("WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(zt.__typeReadable===!1){ne("WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}W>=0&&W<=C.width-$&&tt>=0&&tt<=C.height-Z&&z.readPixels(W,tt,$,Z,yt.convert(se),yt.convert(ge),At)}finally{let Gt=it!==null?Ht.get(it).__webglFramebuffer:null;wt.bindFramebuffer(z.FRAMEBUFFER,Gt)}}},this.readRenderTargetPixelsAsync=async function(C,W,tt,$,Z,At,Pt,Et=0){if(!(C&&C.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let It=Ht.get(C).__webglFramebuffer;if(C.isWebGLCubeRenderTarget&&Pt!==void 0&&(It=It[Pt],Array.isArray(It)&&(It=It[0])),It)if(W>=0&&W<=C.width-$&&tt>=0&&tt<=C.height-Z){wt.bindFramebuffer(z.FRAMEBUFFER,It);let Gt=C.textures[Et],se=Gt.format,ge=Gt.type;C.textures.length>1&&z.readBuffer(z.COLOR_ATTACHMENT0+Et);let zt=Yr(Gt);if(zt.__formatReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(zt.__typeReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");let _e=z.createBuffer();z.bindBuffer(z.PIXEL_PACK_BUFFER,_e),z.bufferData(z.PIXEL_PACK_BUFFER,At.byteLength,z.STREAM_READ),z.readPixels(W,tt,$,Z,yt.convert(se),yt.convert(ge),0),z.bindBuffer(z.PIXEL_PACK_BUFFER,null);let ti=it!==null?Ht.get(it).__webglFramebuffer:null;wt.bindFramebuffer(z.FRAMEBUFFER,ti);let Pe=z.fenceSync(z.SYNC_GPU_COMMANDS_COMPLETE,0);return z.flush(),await q0(z,Pe,4),z.bindBuffer(z.PIXEL_PACK_BUFFER,_e),z.getBufferSubData(z.PIXEL_PACK_BUFFER,0,At),z.bindBuffer(z.PIXEL_PACK_BUFFER,null),z.deleteBuffer(_e),z.deleteSync(Pe),At}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")},this.copyFramebufferToTexture=function(C,W=null,tt=0){let $=Math.pow(2,-tt),Z=Math.floor(C.image.width*$),At=Math.floor(C.image.height*$),Pt=W!==null?W.x:0,Et=W!==null?W.y:0;Zt.setTexture2D(C,0),z.copyTexSubImage2D(z.TEXTURE_2D,tt,0,0,Pt,Et,Z,At),wt.unbindTexture()},this.copyTextureToTexture=function(C,W,tt=null,$=null,Z=0,At=0){let Pt,Et,It,Gt,se,ge,zt,_e,ti,Pe=C.isCompressedTexture?C.mipmaps[At]:C.image;if(tt!==null)Pt=tt.max.x-tt.min.x,Et=tt.max.y-tt.min.y,It=tt.isBox3?tt.max.z-tt.min.z:1,Gt=tt.min.x,se=tt.min.y,ge=tt.isBox3?tt.min.z:0;else{let fe=Math.pow(2,-Z);Pt=Math.floor(Pe.width*fe),Et=Math.floor(Pe.height*fe),C.isDataArrayTexture?It=Pe.depth:C.isData3DTexture?It=Math.floor(Pe.depth*fe):It=1,Gt=0,se=0,ge=0}$!==null?(zt=$.x,_e=$.y,ti=$.z):(zt=0,_e=0,ti=0);let Ie=yt.convert(W.format),bi=yt.convert(W.type),Ft;W.isData3DTexture?(Zt.setTexture3D(W,0),Ft=z.TEXTURE_3D):W.isDataArrayTexture||W.isCompressedArrayTexture?(Zt.setTexture2DArray(W,0),Ft=z.TEXTURE_2D_ARRAY):(Zt.setTexture2D(W,0),Ft=z.TEXTURE_2D),wt.activeTexture(z.TEXTURE0),wt.pixelStorei(z.UNPACK_FLIP_Y_WEBGL,W.flipY),wt.pixelStorei(z.UNPACK_PREMULTIPLY_ALPHA_WEBGL,W.premultiplyAlpha),wt.pixelStorei(z.UNPACK_ALIGNMENT,W.unpackAlignment);let fi=wt.getParameter(z.UNPACK_ROW_LENGTH),ve=wt.getParameter(z.UNPACK_IMAGE_HEIGHT),ys=wt.getParameter(z.UNPACK_SKIP_PIXELS),pi=wt.getParameter(z.UNPACK_SKIP_ROWS),jr=wt.getParameter(z.UNPACK_SKIP_IMAGES);wt.pixelStorei(z.UNPACK_ROW_LENGTH,Pe.width),wt.pixelStorei(z.UNPACK_IMAGE_HEIGHT,Pe.height),wt.pixelStorei(z.UNPACK_SKIP_PIXELS,Gt),wt.pixelStorei(z.UNPACK_SKIP_ROWS,se),wt.pixelStorei(z.UNPACK_SKIP_IMAGES,ge);let ts=C.isDataArrayTexture||C.isData3DTexture,vs=W.isDataArrayTexture||W.isData3DTexture;if(C.isDepthTexture){let fe=Ht.get(C),ri=Ht.get(W),Zi=Ht.get(fe.__renderTarget),Ne=Ht.get(ri.__renderTarget);wt.bindFramebuffer(z.READ_FRAMEBUFFER,Zi.__webglFramebuffer),wt.bindFramebuffer(z.DRAW_FRAMEBUFFER,Ne.__webglFramebuffer);for(let mi=0;mi<It;mi++)ts&&(z.framebufferTextureLayer(z.READ_FRAMEBUFFER,z.COLOR_ATTACHMENT0,Ht.get(C).__webglTexture,Z,ge+mi),z.framebufferTextureLayer(z.DRAW_FRAMEBUFFER,z.COLOR_ATTACHMENT0,Ht.get(W).__webglTexture,At,ti+mi)),z.blitFramebuffer(Gt,se,Gt+Pt,se+Et,zt,_e,zt+Pt,_e+Et,z.DEPTH_BUFFER_BIT,z.NEAREST);wt.bindFramebuffer(z.READ_FRAMEBUFFER,null),wt.bindFramebuffer(z.DRAW_FRAMEBUFFER,null)}else if(Z!==0||C.isRenderTargetTexture||Ht.has(C)){let fe=Ht.get(C),ri=Ht.get(W);wt.bindFramebuffer(z.READ_FRAMEBUFFER,L),wt.bindFramebuffer(z.DRAW_FRAMEBUFFER,H);for(let Zi=0;Zi<It;Zi++)ts?z.framebufferTextureLayer(z.READ_FRAMEBUFFER,z.COLOR_ATTACHMENT0,fe.__webglTexture,Z,ge+Zi):z.framebufferTexture2D(z.READ_FRAMEBUFFER,z.COLOR_ATTACHMENT0,z.TEXTURE_2D,fe.__webglTexture,Z),vs?z.framebufferTextureLayer(z.DRAW_FRAMEBUFFER,z.COLOR_ATTACHMENT0,ri.__webglTexture,At,ti+Zi):z.framebufferTexture2D(z.DRAW_FRAMEBUFFER,z.COLOR_ATTACHMENT0,z.TEXTURE_2D,ri.__webglTexture,At),Z!==0?z.blitFramebuffer(Gt,se,Gt+Pt,se+Et,zt,_e,zt+Pt,_e+Et,z.COLOR_BUFFER_BIT,z.NEAREST):vs?z.copyTexSubImage3D(Ft,At,zt,_e,ti+Zi,Gt,se,Pt,Et):z.copyTexSubImage2D(Ft,At,zt,_e,Gt,se,Pt,Et);wt.bindFramebuffer(z.READ_FRAMEBUFFER,null),wt.bindFramebuffer(z.DRAW_FRAMEBUFFER,null)}else vs?C.isDataTexture||C.isData3DTexture?z.texSubImage3D(Ft,At,zt,_e,ti,Pt,Et,It,Ie,bi,Pe.data):W.isCompressedArrayTexture?z.compressedTexSubImage3D(Ft,At,zt,_e,ti,Pt,Et,It,Ie,Pe.data):z.texSubImage3D(Ft,At,zt,_e,ti,Pt,Et,It,Ie,bi,Pe):C.isDataTexture?z.texSubImage2D(z.TEXTURE_2D,At,zt,_e,Pt,Et,Ie,bi,Pe.data):C.isCompressedTexture?z.compressedTexSubImage2D(z.TEXTURE_2D,At,zt,_e,Pe.width,Pe.height,Ie,Pe.data):z.texSubImage2D(z.TEXTURE_2D,At,zt,_e,Pt,Et,Ie,bi,Pe);wt.pixelStorei(z.UNPACK_ROW_LENGTH,fi),wt.pixelStorei(z.UNPACK_IMAGE_HEIGHT,ve),wt.pixelStorei(z.UNPACK_SKIP_PIXELS,ys),wt.pixelStorei(z.UNPACK_SKIP_ROWS,pi),wt.pixelStorei(z.UNPACK_SKIP_IMAGES,jr),At===0&&W.generateMipmaps===!0&&W.mipmapsAutoUpdate===!0&&z.generateMipmap(Ft),wt.unbindTexture()},this.initRenderTarget=function(C){Ht.get(C).__webglFramebuffer===void 0&&Zt.setupRenderTarget(C)},this.initTexture=function(C){C.isCubeTexture?Zt.setTextureCube(C,0):C.isData3DTexture?Zt.setTexture3D(C,0):C.isDataArrayTexture||C.isCompressedArrayTexture?Zt.setTexture2DArray(C,0):Zt.setTexture2D(C,0),wt.unbindTexture()},this.resetState=function(){k=0,G=0,it=null,wt.reset(),Mt.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return Pn}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(t){this._outputColorSpace=t;let e=this.getContext();e.drawingBufferColorSpace=ue._getDrawingBufferColorSpace(t),e.unpackColorSpace=ue._getUnpackColorSpace()}};var U_={type:"change"},tp={type:"start"},O_={type:"end"},ou=new Ls,F_=new Sn,BA=Math.cos(70*cn.DEG2RAD),Ai=new V,hn=2*Math.PI,Ee={NONE:-1,ROTATE:0,DOLLY:1,PAN:2,TOUCH_ROTATE:3,TOUCH_PAN:4,TOUCH_DOLLY_PAN:5,TOUCH_DOLLY_ROTATE:6},Qf=1e-6,au=class extends al{constructor(t,e=null){super(t,e),this.state=Ee.NONE,this.target=new V,this.cursor=new V,this.minDistance=0,this.maxDistance=1/0,this.minZoom=0,this.maxZoom=1/0,this.minTargetRadius=0,this.maxTargetRadius=1/0,this.minPolarAngle=0,this.maxPolarAngle=Math.PI,this.minAzimuthAngle=-1/0,this.maxAzimuthAngle=1/0,this.enableDamping=!1,this.dampingFactor=.05,this.enableZoom=!0,this.zoomSpeed=1,this.enableRotate=!0,this.rotateSpeed=1,this.keyRotateSpeed=1,this.enablePan=!0,this.panSpeed=1,this.screenSpacePanning=!0,this.keyPanSpeed=7,this.zoomToCursor=!1,this.autoRotate=!1,this.autoRotateSpeed=2,this.keys={LEFT:"ArrowLeft",UP:"ArrowUp",RIGHT:"ArrowRight",BOTTOM:"ArrowDown"},this.mouseButtons={LEFT:or.ROTATE,MIDDLE:or.DOLLY,RIGHT:or.PAN},this.touches={ONE:ar.ROTATE,TWO:ar.DOLLY_PAN},this.target0=this.target.clone(),this.position0=this.object.position.clone(),this.zoom0=this.object.zoom,this._cursorStyle="auto",this._domElementKeyEvents=null,this._lastPosition=new V,this._lastQuaternion=new De,this._lastTargetPosition=new V,this._quat=new De().setFromUnitVectors(t.up,new V(0,1,0)),this._quatInverse=this._quat.clone().invert(),this._spherical=new Yo,this._sphericalDelta=new Yo,this._scale=1,this._panOffset=new V,this._rotateStart=new $t,this._rotateEnd=new $t,this._rotateDelta=new $t,this._panStart=new $t,this._panEnd=new $t,this._panDelta=new $t,this._dollyStart=new $t,this._dollyEnd=new $t,this._dollyDelta=new $t,this._dollyDirection=new V,this._mouse=new $t,this._performCursorZoom=!1,this._pointers=[],this._pointerPositions={},this._controlActive=!1,this._onPointerMove=VA.bind(this),this._onPointerDown=zA.bind(this),this._onPointerUp=GA.bind(this),this._onContextMenu=$A.bind(this),this._onMouseWheel=XA.bind(this),this._onKeyDown=qA.bind(this),this._onTouchStart=YA.bind(this),this._onTouchMove=jA.bind(this),this._onMouseDown=HA.bind(this),this._onMouseMove=WA.bind(this),this._interceptControlDown=JA.bind(this),this._interceptControlUp=ZA.bind(this),this.domElement!==null&&this.connect(this.domElement),this.update()}set cursorStyle(t){this._cursorStyle=t,t==="grab"?this.domElement.style.cursor="grab":this.domElement.style.cursor="auto"}get cursorStyle(){return this._cursorStyle}connect(t){super.connect(t),this.domElement.addEventListener("pointerdown",this._onPointerDown),this.domElement.addEventListener("pointercancel",this._onPointerUp),this.domElement.addEventListener("contextmenu",this._onContextMenu),this.domElement.addEventListener("wheel",this._onMouseWheel,{passive:!1}),this.domElement.ownerDocument.addEventListener("keydown",this._interceptControlDown,{passive:!0,capture:!0}),this.domElement.style.touchAction="none"}disconnect(){this.state=Ee.NONE,this.domElement.removeEventListener("pointerdown",this._onPointerDown),this.domElement.ownerDocument.removeEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.removeEventListener("pointerup",this._onPointerUp),this.domElement.removeEventListener("pointercancel",this._onPointerUp),this.domElement.removeEventListener("wheel",this._onMouseWheel),this.domElement.removeEventListener("contextmenu",this._onContextMenu),this.stopListenToKeyEvents(),this.domElement.ownerDocument.removeEventListener("keydown",this._interceptControlDown,{capture:!0}),this.domElement.ownerDocument.removeEventListener("keyup",this._interceptControlUp,{capture:!0}),this._controlActive=!1,this._pointers.length=0,this._pointerPositions={},this.domElement.style.touchAction="",this.domElement.style.cursor="auto"}dispose(){this.disconnect()}getPolarAngle(){return this._spherical.phi}getAzimuthalAngle(){return this._spherical.theta}getDistance(){return this.object.position.distanceTo(this.target)}listenToKeyEvents(t){t.addEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=t}stopListenToKeyEvents(){this._domElementKeyEvents!==null&&(this._domElementKeyEvents.removeEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=null)}saveState(){this.target0.copy(this.target),this.position0.copy(this.object.position),this.zoom0=this.object.zoom}reset(){this.target.copy(this.target0),this.object.position.copy(this.position0),this.object.zoom=this.zoom0,this.object.updateProjectionMatrix(),this.dispatchEvent(U_),this.update(),this.state=Ee.NONE}pan(t,e){this._pan(t,e),this.update()}dollyIn(t){this._dollyIn(t),this.update()}dollyOut(t){this._dollyOut(t),this.update()}rotateLeft(t){this._rotateLeft(t),this.update()}rotateUp(t){this._rotateUp(t),this.update()}update(t=null){let e=this.object.position;Ai.copy(e).sub(this.target),Ai.applyQuaternion(this._quat),this._spherical.setFromVector3(Ai),this.autoRotate&&this.state===Ee.NONE&&this._rotateLeft(this._getAutoRotationAngle(t)),this.enableDamping?(this._spherical.theta+=this._sphericalDelta.theta*this.dampingFactor,this._spherical.phi+=this._sphericalDelta.phi*this.dampingFactor):(this._spherical.theta+=this._sphericalDelta.theta,this._spherical.phi+=this._sphericalDelta.phi);let i=this.minAzimuthAngle,n=this.maxAzimuthAngle;isFinite(i)&&isFinite(n)&&(i<-Math.PI?i+=hn:i>Math.PI&&(i-=hn),n<-Math.PI?n+=hn:n>Math.PI&&(n-=hn),i<=n?this._spherical.theta=Math.max(i,Math.min(n,this._spherical.theta)):this._spherical.theta=this._spherical.theta>(i+n)/2?Math.max(i,this._spherical.theta):Math.min(n,this._spherical.theta)),this._spherical.phi=Math.max(this.minPolarAngle,Math.min(this.maxPolarAngle,this._spherical.phi)),this._spherical.makeSafe(),this.enableDamping===!0?this.target.addScaledVector(this._panOffset,this.dampingFactor):this.target.add(this._panOffset),this.target.sub(this.cursor),this.target.clampLength(this.minTargetRadius,this.maxTargetRadius),this.target.add(this.cursor);let r=!1;if(this.zoomToCursor&&this._performCursorZoom||this.object.isOrthographicCamera)this._spherical.radius=this._clampDistance(this._spherical.radius);else{let o=this._spherical.radius;this._spherical.radius=this._clampDistance(this._spherical.radius*this._scale),r=o!=this._spherical.radius}if(Ai.setFromSpherical(this._spherical),Ai.applyQuaternion(this._quatInverse),e.copy(this.target).add(Ai),this.object.lookAt(this.target),this.enableDamping===!0?(this._sphericalDelta.theta*=1-this.dampingFactor,this._sphericalDelta.phi*=1-this.dampingFactor,this._panOffset.multiplyScalar(1-this.dampingFactor)):(this._sphericalDelta.set(0,0,0),this._panOffset.set(0,0,0)),this.zoomToCursor&&this._performCursorZoom){let o=null;if(this.object.isPerspectiveCamera){let a=Ai.length();o=this._clampDistance(a*this._scale);let l=a-o;this.object.position.addScaledVector(this._dollyDirection,l),this.object.updateMatrixWorld(),r=!!l}else if(this.object.isOrthographicCamera){let a=new V(this._mouse.x,this._mouse.y,0);a.unproject(this.object);let l=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),this.object.updateProjectionMatrix(),r=l!==this.object.zoom;let c=new V(this._mouse.x,this._mouse.y,0);c.unproject(this.object),this.object.position.sub(c).add(a),this.object.updateMatrixWorld(),o=Ai.length()}else console.warn("WARNING: OrbitControls.js encountered an unknown camera type - zoom to cursor disabled."),this.zoomToCursor=!1;o!==null&&(this.screenSpacePanning?this.target.set(0,0,-1).transformDirection(this.object.matrix).multiplyScalar(o).add(this.object.position):(ou.origin.copy(this.object.position),ou.direction.set(0,0,-1).transformDirection(this.object.matrix),Math.abs(this.object.up.dot(ou.direction))<BA?this.object.lookAt(this.target):(F_.setFromNormalAndCoplanarPoint(this.object.up,this.target),ou.intersectPlane(F_,this.target))))}else if(this.object.isOrthographicCamera){let o=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),o!==this.object.zoom&&(this.object.updateProjectionMatrix(),r=!0)}return this._scale=1,this._performCursorZoom=!1,r||this._lastPosition.distanceToSquared(this.object.position)>Qf||8*(1-this._lastQuaternion.dot(this.object.quaternion))>Qf||this._lastTargetPosition.distanceToSquared(this.target)>Qf?(this.dispatchEvent(U_),this._lastPosition.copy(this.object.position),this._lastQuaternion.copy(this.object.quaternion),this._lastTargetPosition.copy(this.target),!0):!1}_getAutoRotationAngle(t){return t!==null?hn/60*this.autoRotateSpeed*t:hn/60/60*this.autoRotateSpeed}_getZoomScale(t){let e=Math.abs(t*.01);return Math.pow(.95,this.zoomSpeed*e)}_rotateLeft(t){this._sphericalDelta.theta-=t}_rotateUp(t){this._sphericalDelta.phi-=t}_panLeft(t,e){Ai.setFromMatrixColumn(e,0),Ai.multiplyScalar(-t),this._panOffset.add(Ai)}_panUp(t,e){this.screenSpacePanning===!0?Ai.setFromMatrixColumn(e,1):(Ai.setFromMatrixColumn(e,0),Ai.crossVectors(this.object.up,Ai)),Ai.multiplyScalar(t),this._panOffset.add(Ai)}_pan(t,e){let i=this.domElement;if(this.object.isPerspectiveCamera){let n=this.object.position;Ai.copy(n).sub(this.target);let r=Ai.length();r*=Math.tan(this.object.fov/2*Math.PI/180),this._panLeft(2*t*r/i.clientHeight,this.object.matrix),this._panUp(2*e*r/i.clientHeight,this.object.matrix)}else this.object.isOrthographicCamera?(this._panLeft(t*(this.object.right-this.object.left)/this.object.zoom/i.clientWidth,this.object.matrix),this._panUp(e*(this.object.top-this.object.bottom)/this.object.zoom/i.clientHeight,this.object.matrix)):(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - pan disabled."),this.enablePan=!1)}_dollyOut(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale/=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_dollyIn(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale*=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_updateZoomParameters(t,e){if(!this.zoomToCursor)return;this._performCursorZoom=!0;let i=this.domElement.getBoundingClientRect(),n=t-i.left,r=e-i.top,o=i.width,a=i.height;this._mouse.x=n/o*2-1,this._mouse.y=-(r/a)*2+1,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()}_clampDistance(t){return Math.max(this.minDistance,Math.min(this.maxDistance,t))}_handleMouseDownRotate(t){this._rotateStart.set(t.clientX,t.clientY)}_handleMouseDownDolly(t){this._updateZoomParameters(t.clientX,t.clientY),this._dollyStart.set(t.clientX,t.clientY)}_handleMouseDownPan(t){this._panStart.set(t.clientX,t.clientY)}_handleMouseMoveRotate(t){this._rotateEnd.set(t.clientX,t.clientY),this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let e=this.domElement;this._rotateLeft(hn*this._rotateDelta.x/e.clientHeight),this._rotateUp(hn*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd),this.update()}_handleMouseMoveDolly(t){this._dollyEnd.set(t.clientX,t.clientY),this._dollyDelta.subVectors(this._dollyEnd,this._dollyStart),this._dollyDelta.y>0?this._dollyOut(this._getZoomScale(this._dollyDelta.y)):this._dollyDelta.y<0&&this._dollyIn(this._getZoomScale(this._dollyDelta.y)),this._dollyStart.copy(this._dollyEnd),this.zoomToCursor&&(this._performCursorZoom=!0,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()),this.update()}_handleMouseMovePan(t){this._panEnd.set(t.clientX,t.clientY),this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd),this.update()}_handleMouseWheel(t){this._updateZoomParameters(t.clientX,t.clientY),t.deltaY<0?this._dollyIn(this._getZoomScale(t.deltaY)):t.deltaY>0&&this._dollyOut(this._getZoomScale(t.deltaY)),this.update()}_handleKeyDown(t){let e=!1;switch(t.code){case this.keys.UP:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(hn*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,this.keyPanSpeed),e=!0;break;case this.keys.BOTTOM:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(-hn*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,-this.keyPanSpeed),e=!0;break;case this.keys.LEFT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(hn*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(this.keyPanSpeed,0),e=!0;break;case this.keys.RIGHT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(-hn*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(-this.keyPanSpeed,0),e=!0;break}e&&(t.preventDefault(),this.update())}_handleTouchStartRotate(t){if(this._pointers.length===1)this._rotateStart.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),i=.5*(t.pageX+e.x),n=.5*(t.pageY+e.y);this._rotateStart.set(i,n)}}_handleTouchStartPan(t){if(this._pointers.length===1)this._panStart.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),i=.5*(t.pageX+e.x),n=.5*(t.pageY+e.y);this._panStart.set(i,n)}}_handleTouchStartDolly(t){let e=this._getSecondPointerPosition(t),i=t.pageX-e.x,n=t.pageY-e.y,r=Math.sqrt(i*i+n*n);this._dollyStart.set(0,r)}_handleTouchStartDollyPan(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enablePan&&this._handleTouchStartPan(t)}_handleTouchStartDollyRotate(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enableRotate&&this._handleTouchStartRotate(t)}_handleTouchMoveRotate(t){if(this._pointers.length==1)this._rotateEnd.set(t.pageX,t.pageY);else{let i=this._getSecondPointerPosition(t),n=.5*(t.pageX+i.x),r=.5*(t.pageY+i.y);this._rotateEnd.set(n,r)}this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let e=this.domElement;this._rotateLeft(hn*this._rotateDelta.x/e.clientHeight),this._rotateUp(hn*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd)}_handleTouchMovePan(t){if(this._pointers.length===1)this._panEnd.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),i=.5*(t.pageX+e.x),n=.5*(t.pageY+e.y);this._panEnd.set(i,n)}this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd)}_handleTouchMoveDolly(t){let e=this._getSecondPointerPosition(t),i=t.pageX-e.x,n=t.pageY-e.y,r=Math.sqrt(i*i+n*n);this._dollyEnd.set(0,r),this._dollyDelta.set(0,Math.pow(this._dollyEnd.y/this._dollyStart.y,this.zoomSpeed)),this._dollyOut(this._dollyDelta.y),this._dollyStart.copy(this._dollyEnd);let o=(t.pageX+e.x)*.5,a=(t.pageY+e.y)*.5;this._updateZoomParameters(o,a)}_handleTouchMoveDollyPan(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enablePan&&this._handleTouchMovePan(t)}_handleTouchMoveDollyRotate(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enableRotate&&this._handleTouchMoveRotate(t)}_addPointer(t){this._pointers.push(t.pointerId)}_removePointer(t){delete this._pointerPositions[t.pointerId];for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId){this._pointers.splice(e,1);return}}_isTrackingPointer(t){for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId)return!0;return!1}_trackPointer(t){let e=this._pointerPositions[t.pointerId];e===void 0&&(e=new $t,this._pointerPositions[t.pointerId]=e),e.set(t.pageX,t.pageY)}_getSecondPointerPosition(t){let e=t.pointerId===this._pointers[0]?this._pointers[1]:this._pointers[0];return this._pointerPositions[e]}_customWheelEvent(t){let e=t.deltaMode,i={clientX:t.clientX,clientY:t.clientY,deltaY:t.deltaY};switch(e){case 1:i.deltaY*=16;break;case 2:i.deltaY*=100;break}return t.ctrlKey&&!this._controlActive&&(i.deltaY*=10),i}};function zA(s){this.enabled!==!1&&(this._pointers.length===0&&(this.domElement.setPointerCapture(s.pointerId),this.domElement.ownerDocument.addEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.addEventListener("pointerup",this._onPointerUp)),!this._isTrackingPointer(s)&&(this._addPointer(s),s.pointerType==="touch"?this._onTouchStart(s):this._onMouseDown(s),this._cursorStyle==="grab"&&(this.domElement.style.cursor="grabbing")))}function VA(s){this.enabled!==!1&&(s.pointerType==="touch"?this._onTouchMove(s):this._onMouseMove(s))}function GA(s){switch(this._removePointer(s),this._pointers.length){case 0:this.domElement.releasePointerCapture(s.pointerId),this.domElement.ownerDocument.removeEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.removeEventListener("pointerup",this._onPointerUp),this.dispatchEvent(O_),this.state=Ee.NONE,this._cursorStyle==="grab"&&(this.domElement.style.cursor="grab");break;case 1:let t=this._pointers[0],e=this._pointerPositions[t];this._onTouchStart({pointerId:t,pageX:e.x,pageY:e.y});break}}function HA(s){let t;switch(s.button){case 0:t=this.mouseButtons.LEFT;break;case 1:t=this.mouseButtons.MIDDLE;break;case 2:t=this.mouseButtons.RIGHT;break;default:t=-1}switch(t){case or.DOLLY:if(this.enableZoom===!1)return;this._handleMouseDownDolly(s),this.state=Ee.DOLLY;break;case or.ROTATE:if(s.ctrlKey||s.metaKey||s.shiftKey){if(this.enablePan===!1)return;this._handleMouseDownPan(s),this.state=Ee.PAN}else{if(this.enableRotate===!1)return;this._handleMouseDownRotate(s),this.state=Ee.ROTATE}break;case or.PAN:if(s.ctrlKey||s.metaKey||s.shiftKey){if(this.enableRotate===!1)return;this._handleMouseDownRotate(s),this.state=Ee.ROTATE}else{if(this.enablePan===!1)return;this._handleMouseDownPan(s),this.state=Ee.PAN}break;default:this.state=Ee.NONE}this.state!==Ee.NONE&&this.dispatchEvent(tp)}function WA(s){switch(this.state){case Ee.ROTATE:if(this.enableRotate===!1)return;this._handleMouseMoveRotate(s);break;case Ee.DOLLY:if(this.enableZoom===!1)return;this._handleMouseMoveDolly(s);break;case Ee.PAN:if(this.enablePan===!1)return;this._handleMouseMovePan(s);break}}function XA(s){this.enabled===!1||this.enableZoom===!1||this.state!==Ee.NONE||(s.preventDefault(),this.dispatchEvent(tp),this._handleMouseWheel(this._customWheelEvent(s)),this.dispatchEvent(O_))}function qA(s){this.enabled!==!1&&this._handleKeyDown(s)}function YA(s){switch(this._trackPointer(s),this._pointers.length){case 1:switch(this.touches.ONE){case ar.ROTATE:if(this.enableRotate===!1){this.state=Ee.NONE;break}this._handleTouchStartRotate(s),this.state=Ee.TOUCH_ROTATE;break;case ar.PAN:if(this.enablePan===!1){this.state=Ee.NONE;break}this._handleTouchStartPan(s),this.state=Ee.TOUCH_PAN;break;default:this.state=Ee.NONE}break;case 2:switch(this.touches.TWO){case ar.DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchStartDollyPan(s),this.state=Ee.TOUCH_DOLLY_PAN;break;case ar.DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchStartDollyRotate(s),this.state=Ee.TOUCH_DOLLY_ROTATE;break;default:this.state=Ee.NONE}break;default:this.state=Ee.NONE}this.state!==Ee.NONE&&this.dispatchEvent(tp)}function jA(s){switch(this._trackPointer(s),this.state){case Ee.TOUCH_ROTATE:if(this.enableRotate===!1)return;this._handleTouchMoveRotate(s),this.update();break;case Ee.TOUCH_PAN:if(this.enablePan===!1)return;this._handleTouchMovePan(s),this.update();break;case Ee.TOUCH_DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchMoveDollyPan(s),this.update();break;case Ee.TOUCH_DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchMoveDollyRotate(s),this.update();break;default:this.state=Ee.NONE}}function $A(s){this.enabled!==!1&&s.preventDefault()}function JA(s){s.key==="Control"&&(this._controlActive=!0,this.domElement.ownerDocument.addEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}function ZA(s){s.key==="Control"&&(this._controlActive=!1,this.domElement.ownerDocument.removeEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}var Sl=class extends tl{constructor(t){super(t)}parse(t){function e(k){switch(k.image_type){case d:case x:if(k.colormap_length>256||k.colormap_size!==24||k.colormap_type!==1)throw new Error("THREE.TGALoader: Invalid type colormap data for indexed type.");break;case f:case m:case g:case p:if(k.colormap_type)throw new Error("THREE.TGALoader: Invalid type colormap data for colormap type.");break;case u:throw new Error("THREE.TGALoader: No data.");default:throw new Error("THREE.TGALoader: Invalid type "+k.image_type)}if(k.width<=0||k.height<=0)throw new Error("THREE.TGALoader: Invalid image size.");if(k.pixel_size!==8&&k.pixel_size!==16&&k.pixel_size!==24&&k.pixel_size!==32)throw new Error("THREE.TGALoader: Invalid pixel size "+k.pixel_size)}function i(k,G,it,Y,J){let Q,ct,nt=it.pixel_size>>3,q=it.width*it.height*nt;if(G&&(ct=J.subarray(Y,Y+=it.colormap_length*(it.colormap_size>>3))),k){Q=new Uint8Array(q);let st,et,at,gt=0,Ut=new Uint8Array(nt);for(;gt<q;)if(st=J[Y++],et=(st&127)+1,st&128){for(at=0;at<nt;++at)Ut[at]=J[Y++];for(at=0;at<et;++at)Q.set(Ut,gt+at*nt);gt+=nt*et}else{for(et*=nt,at=0;at<et;++at)Q[gt+at]=J[Y++];gt+=et}}else Q=J.subarray(Y,Y+=G?it.width*it.height:q);return{pixel_data:Q,palettes:ct}}function n(k,G,it,Y,J,Q,ct,nt,q){let st=q,et=P.colormap_index,at,gt=0,Ut,Kt,kt=P.width;for(Kt=G;Kt!==Y;Kt+=it)for(Ut=J;Ut!==ct;Ut+=Q,gt++)at=nt[gt]-et,k[(Ut+kt*Kt)*4+3]=255,k[(Ut+kt*Kt)*4+2]=st[at*3+0],k[(Ut+kt*Kt)*4+1]=st[at*3+1],k[(Ut+kt*Kt)*4+0]=st[at*3+2];return k}function r(k,G,it,Y,J,Q,ct,nt){let q,st=0,et,at,gt=P.width;for(at=G;at!==Y;at+=it)for(et=J;et!==ct;et+=Q,st+=2)q=nt[st+0]+(nt[st+1]<<8),k[(et+gt*at)*4+0]=(q&31744)>>7,k[(et+gt*at)*4+1]=(q&992)>>2,k[(et+gt*at)*4+2]=(q&31)<<3,k[(et+gt*at)*4+3]=q&32768?0:255;return k}function o(k,G,it,Y,J,Q,ct,nt){let q=0,st,et,at=P.width;for(et=G;et!==Y;et+=it)for(st=J;st!==ct;st+=Q,q+=3)k[(st+at*et)*4+3]=255,k[(st+at*et)*4+2]=nt[q+0],k[(st+at*et)*4+1]=nt[q+1],k[(st+at*et)*4+0]=nt[q+2];return k}function a(k,G,it,Y,J,Q,ct,nt){let q=0,st,et,at=P.width;for(et=G;et!==Y;et+=it)for(st=J;st!==ct;st+=Q,q+=4)k[(st+at*et)*4+2]=nt[q+0],k[(st+at*et)*4+1]=nt[q+1],k[(st+at*et)*4+0]=nt[q+2],k[(st+at*et)*4+3]=nt[q+3];return k}function l(k,G,it,Y,J,Q,ct,nt){let q,st=0,et,at,gt=P.width;for(at=G;at!==Y;at+=it)for(et=J;et!==ct;et+=Q,st++)q=nt[st],k[(et+gt*at)*4+0]=q,k[(et+gt*at)*4+1]=q,k[(et+gt*at)*4+2]=q,k[(et+gt*at)*4+3]=255;return k}function c(k,G,it,Y,J,Q,ct,nt){let q=0,st,et,at=P.width;for(et=G;et!==Y;et+=it)for(st=J;st!==ct;st+=Q,q+=2)k[(st+at*et)*4+0]=nt[q+0],k[(st+at*et)*4+1]=nt[q+0],k[(st+at*et)*4+2]=nt[q+0],k[(st+at*et)*4+3]=nt[q+1];return k}function h(k,G,it,Y,J){let Q,ct,nt,q,st,et;switch((P.flags&_)>>w){default:case S:Q=0,nt=1,st=G,ct=0,q=1,et=it;break;case v:Q=0,nt=1,st=G,ct=it-1,q=-1,et=-1;break;case y:Q=G-1,nt=-1,st=-1,ct=0,q=1,et=it;break;case A:Q=G-1,nt=-1,st=-1,ct=it-1,q=-1,et=-1;break}if(O)switch(P.pixel_size){case 8:l(k,ct,q,et,Q,nt,st,Y);break;case 16:c(k,ct,q,et,Q,nt,st,Y);break;default:throw new Error("THREE.TGALoader: Format not supported.")}else switch(P.pixel_size){case 8:n(k,ct,q,et,Q,nt,st,Y,J);break;case 16:r(k,ct,q,et,Q,nt,st,Y);break;case 24:o(k,ct,q,et,Q,nt,st,Y);break;case 32:a(k,ct,q,et,Q,nt,st,Y);break;default:throw new Error("THREE.TGALoader: Format not supported.")}return k}let u=0,d=1,f=2,m=3,x=9,g=10,p=11,_=48,w=4,v=0,A=1,S=2,y=3;if(t.length<19)throw new Error("THREE.TGALoader: Not enough data to contain header.");let M=0,I=new Uint8Array(t),P={id_length:I[M++],colormap_type:I[M++],image_type:I[M++],colormap_index:I[M++]|I[M++]<<8,colormap_length:I[M++]|I[M++]<<8,colormap_size:I[M++],origin:[I[M++]|I[M++]<<8,I[M++]|I[M++]<<8],width:I[M++]|I[M++]<<8,height:I[M++]|I[M++]<<8,pixel_size:I[M++],flags:I[M++]};if(e(P),P.id_length+M>t.length)throw new Error("THREE.TGALoader: No data.");M+=P.id_length;let R=!1,U=!1,O=!1;switch(P.image_type){case x:R=!0,U=!0;break;case d:U=!0;break;case g:R=!0;break;case f:break;case p:R=!0,O=!0;break;case m:O=!0;break}let L=new Uint8Array(P.width*P.height*4),H=i(R,U,P,M,I);return h(L,P.width,P.height,H.pixel_data,H.palettes),{data:L,width:P.width,height:P.height,flipY:!0,generateMipmaps:!0,minFilter:Ln}}};function un(s,t){let e=[],i=s.childNodes;for(let n=0,r=i.length;n<r;n++){let o=i[n];o.nodeName===t&&e.push(o)}return e}function KA(s){return s.length===0?[]:s.trim().split(/\s+/)}function $i(s){return s.length===0?[]:s.trim().split(/\s+/).map(parseFloat)}function lu(s){return s.length===0?[]:s.trim().split(/\s+/).map(t=>parseInt(t))}function Oi(s){return s.substring(1)}var cu=class{constructor(){this.count=0}generateId(){return"three_default_"+this.count++}parse(t){if(t.length===0)return null;let e=new DOMParser().parseFromString(t,"application/xml"),i=un(e,"COLLADA")[0],n=e.getElementsByTagName("parsererror")[0];if(n!==void 0){let l=un(n,"div")[0],c;return l?c=l.textContent:c=this.parserErrorToText(n),console.error(`THREE.ColladaLoader: Failed to parse collada file.
`,c),null}let r=i.getAttribute("version");console.debug("THREE.ColladaLoader: File version",r);let o=this.parseAsset(un(i,"asset")[0]),a={animations:{},clips:{},controllers:{},images:{},effects:{},materials:{},cameras:{},lights:{},geometries:{},nodes:{},visualScenes:{},kinematicsModels:{},physicsModels:{},kinematicsScenes:{},joints:{}};return this.library=a,this.collada=i,this.parseLibrary(i,"library_animations","animation",this.parseAnimation.bind(this)),this.parseLibrary(i,"library_animation_clips","animation_clip",this.parseAnimationClip.bind(this)),this.parseLibrary(i,"library_controllers","controller",this.parseController.bind(this)),this.parseLibrary(i,"library_images","image",this.parseImage.bind(this)),this.parseLibrary(i,"library_effects","effect",this.parseEffect.bind(this)),this.parseLibrary(i,"library_materials","material",this.parseMaterial.bind(this)),this.parseLibrary(i,"library_cameras","camera",this.parseCamera.bind(this)),this.parseLibrary(i,"library_lights","light",this.parseLight.bind(this)),this.parseLibrary(i,"library_geometries","geometry",this.parseGeometry.bind(this)),this.parseLibrary(i,"library_nodes","node",this.parseNode.bind(this)),this.parseLibrary(i,"library_visual_scenes","visual_scene",this.parseVisualScene.bind(this)),this.parseLibrary(i,"library_joints","joint",this.parseLibraryJoint.bind(this)),this.parseLibrary(i,"library_kinematics_models","kinematics_model",this.parseKinematicsModel.bind(this)),this.parseLibrary(i,"library_physics_models","physics_model",this.parsePhysicsModel.bind(this)),this.parseLibrary(i,"scene","instance_kinematics_scene",this.parseKinematicsScene.bind(this)),{library:a,asset:o,collada:i}}parserErrorToText(t){let e=[],i=[t];for(;i.length;){let n=i.shift();n.nodeType===Node.TEXT_NODE?e.push(n.textContent):(e.push(`
`),i.push(...n.childNodes))}return e.join("").trim()}parseAsset(t){return{unit:this.parseAssetUnit(un(t,"unit")[0]),upAxis:this.parseAssetUpAxis(un(t,"up_axis")[0])}}parseAssetUnit(t){return t!==void 0&&t.hasAttribute("meter")===!0?parseFloat(t.getAttribute("meter")):1}parseAssetUpAxis(t){return t!==void 0?t.textContent:"Y_UP"}parseLibrary(t,e,i,n){let r=un(t,e)[0];if(r!==void 0){let o=un(r,i);for(let a=0;a<o.length;a++)n(o[a])}}parseAnimation(t){let e={sources:{},samplers:{},channels:{}},i=!1;for(let n=0,r=t.childNodes.length;n<r;n++){let o=t.childNodes[n];if(o.nodeType!==1)continue;let a;switch(o.nodeName){case"source":a=o.getAttribute("id"),e.sources[a]=this.parseSource(o);break;case"sampler":a=o.getAttribute("id"),e.samplers[a]=this.parseAnimationSampler(o);break;case"channel":a=o.getAttribute("target"),e.channels[a]=this.parseAnimationChannel(o);break;case"animation":this.parseAnimation(o),i=!0;break;default:}}i===!1&&(this.library.animations[t.getAttribute("id")||cn.generateUUID()]=e)}parseAnimationSampler(t){let e={inputs:{}};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];if(r.nodeType===1&&r.nodeName==="input"){let o=Oi(r.getAttribute("source")),a=r.getAttribute("semantic");e.inputs[a]=o}}return e}parseAnimationChannel(t){let e={},n=t.getAttribute("target").split("/"),r=n.shift(),o=n.shift(),a=o.indexOf("(")!==-1,l=o.indexOf(".")!==-1;if(l)n=o.split("."),o=n.shift(),e.member=n.shift();else if(a){let c=o.split("(");o=c.shift();for(let h=0;h<c.length;h++)c[h]=parseInt(c[h].replace(/\)/,""));e.indices=c}return e.id=r,e.sid=o,e.arraySyntax=a,e.memberSyntax=l,e.sampler=Oi(t.getAttribute("source")),e}parseAnimationClip(t){let e={name:t.getAttribute("id")||"default",start:parseFloat(t.getAttribute("start")||0),end:parseFloat(t.getAttribute("end")||0),animations:[]};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];r.nodeType===1&&r.nodeName==="instance_animation"&&e.animations.push(Oi(r.getAttribute("url")))}this.library.clips[t.getAttribute("id")]=e}parseController(t){let e={};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];if(r.nodeType===1)switch(r.nodeName){case"skin":e.id=Oi(r.getAttribute("source")),e.skin=this.parseSkin(r);break;case"morph":e.id=Oi(r.getAttribute("source")),console.warn("THREE.ColladaLoader: Morph target animation not supported yet.");break}}this.library.controllers[t.getAttribute("id")]=e}parseSkin(t){let e={sources:{}};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];if(r.nodeType===1)switch(r.nodeName){case"bind_shape_matrix":e.bindShapeMatrix=$i(r.textContent);break;case"source":let o=r.getAttribute("id");e.sources[o]=this.parseSource(r);break;case"joints":e.joints=this.parseJoints(r);break;case"vertex_weights":e.vertexWeights=this.parseVertexWeights(r);break}}return e}parseJoints(t){let e={inputs:{}};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];if(r.nodeType===1&&r.nodeName==="input"){let o=r.getAttribute("semantic"),a=Oi(r.getAttribute("source"));e.inputs[o]=a}}return e}parseVertexWeights(t){let e={inputs:{}};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];if(r.nodeType===1)switch(r.nodeName){case"input":let o=r.getAttribute("semantic"),a=Oi(r.getAttribute("source")),l=parseInt(r.getAttribute("offset"));e.inputs[o]={id:a,offset:l};break;case"vcount":e.vcount=lu(r.textContent);break;case"v":e.v=lu(r.textContent);break}}return e}parseImage(t){let e={init_from:un(t,"init_from")[0].textContent};this.library.images[t.getAttribute("id")]=e}parseEffect(t){let e={};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];r.nodeType===1&&r.nodeName==="profile_COMMON"&&(e.profile=this.parseEffectProfileCOMMON(r))}this.library.effects[t.getAttribute("id")]=e}parseEffectProfileCOMMON(t){let e={surfaces:{},samplers:{}};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];if(r.nodeType===1)switch(r.nodeName){case"newparam":this.parseEffectNewparam(r,e);break;case"technique":e.technique=this.parseEffectTechnique(r);break;case"extra":e.extra=this.parseEffectExtra(r);break}}return e}parseEffectNewparam(t,e){let i=t.getAttribute("sid");for(let n=0,r=t.childNodes.length;n<r;n++){let o=t.childNodes[n];if(o.nodeType===1)switch(o.nodeName){case"surface":e.surfaces[i]=this.parseEffectSurface(o);break;case"sampler2D":e.samplers[i]=this.parseEffectSampler(o);break}}}parseEffectSurface(t){let e={};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];r.nodeType===1&&r.nodeName==="init_from"&&(e.init_from=r.textContent)}return e}parseEffectSampler(t){let e={};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];r.nodeType===1&&r.nodeName==="source"&&(e.source=r.textContent)}return e}parseEffectTechnique(t){let e={};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];if(r.nodeType===1)switch(r.nodeName){case"constant":case"lambert":case"blinn":case"phong":e.type=r.nodeName,e.parameters=this.parseEffectParameters(r);break;case"extra":e.extra=this.parseEffectExtra(r);break}}return e}parseEffectParameters(t){let e={};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];if(r.nodeType===1)switch(r.nodeName){case"emission":case"diffuse":case"specular":case"bump":case"ambient":case"shininess":case"transparency":e[r.nodeName]=this.parseEffectParameter(r);break;case"transparent":e[r.nodeName]={opaque:r.hasAttribute("opaque")?r.getAttribute("opaque"):"A_ONE",data:this.parseEffectParameter(r)};break}}return e}parseEffectParameter(t){let e={};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];if(r.nodeType===1)switch(r.nodeName){case"color":e[r.nodeName]=$i(r.textContent);break;case"float":e[r.nodeName]=parseFloat(r.textContent);break;case"texture":e[r.nodeName]={id:r.getAttribute("texture"),extra:this.parseEffectParameterTexture(r)};break}}return e}parseEffectParameterTexture(t){let e={technique:{}};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];r.nodeType===1&&r.nodeName==="extra"&&this.parseEffectParameterTextureExtra(r,e)}return e}parseEffectParameterTextureExtra(t,e){for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];r.nodeType===1&&r.nodeName==="technique"&&this.parseEffectParameterTextureExtraTechnique(r,e)}}parseEffectParameterTextureExtraTechnique(t,e){for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];if(r.nodeType===1)switch(r.nodeName){case"repeatU":case"repeatV":case"offsetU":case"offsetV":e.technique[r.nodeName]=parseFloat(r.textContent);break;case"wrapU":case"wrapV":r.textContent.toUpperCase()==="TRUE"?e.technique[r.nodeName]=1:r.textContent.toUpperCase()==="FALSE"?e.technique[r.nodeName]=0:e.technique[r.nodeName]=parseInt(r.textContent);break;case"bump":e[r.nodeName]=this.parseEffectExtraTechniqueBump(r);break}}}parseEffectExtra(t){let e={};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];r.nodeType===1&&r.nodeName==="technique"&&(e.technique=this.parseEffectExtraTechnique(r))}return e}parseEffectExtraTechnique(t){let e={};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];if(r.nodeType===1)switch(r.nodeName){case"double_sided":e[r.nodeName]=parseInt(r.textContent);break;case"bump":e[r.nodeName]=this.parseEffectExtraTechniqueBump(r);break}}return e}parseEffectExtraTechniqueBump(t){let e={};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];r.nodeType===1&&r.nodeName==="texture"&&(e[r.nodeName]={id:r.getAttribute("texture"),texcoord:r.getAttribute("texcoord"),extra:this.parseEffectParameterTexture(r)})}return e}parseMaterial(t){let e={name:t.getAttribute("name")};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];r.nodeType===1&&r.nodeName==="instance_effect"&&(e.url=Oi(r.getAttribute("url")))}this.library.materials[t.getAttribute("id")]=e}parseCamera(t){let e={name:t.getAttribute("name")};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];r.nodeType===1&&r.nodeName==="optics"&&(e.optics=this.parseCameraOptics(r))}this.library.cameras[t.getAttribute("id")]=e}parseCameraOptics(t){for(let e=0;e<t.childNodes.length;e++){let i=t.childNodes[e];if(i.nodeName==="technique_common")return this.parseCameraTechnique(i)}return{}}parseCameraTechnique(t){let e={};for(let i=0;i<t.childNodes.length;i++){let n=t.childNodes[i];switch(n.nodeName){case"perspective":case"orthographic":e.technique=n.nodeName,e.parameters=this.parseCameraParameters(n);break}}return e}parseCameraParameters(t){let e={};for(let i=0;i<t.childNodes.length;i++){let n=t.childNodes[i];switch(n.nodeName){case"xfov":case"yfov":case"xmag":case"ymag":case"znear":case"zfar":case"aspect_ratio":e[n.nodeName]=parseFloat(n.textContent);break}}return e}parseLight(t){let e={};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];r.nodeType===1&&r.nodeName==="technique_common"&&(e=this.parseLightTechnique(r))}this.library.lights[t.getAttribute("id")]=e}parseLightTechnique(t){let e={};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];if(r.nodeType===1)switch(r.nodeName){case"directional":case"point":case"spot":case"ambient":e.technique=r.nodeName,e.parameters=this.parseLightParameters(r);break}}return e}parseLightParameters(t){let e={};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];if(r.nodeType===1)switch(r.nodeName){case"color":let o=$i(r.textContent);e.color=new qt().fromArray(o),ue.colorSpaceToWorking(e.color,Le);break;case"falloff_angle":e.falloffAngle=parseFloat(r.textContent);break;case"quadratic_attenuation":let a=parseFloat(r.textContent);e.distance=a?Math.sqrt(1/a):0;break}}return e}parseGeometry(t){let e={name:t.getAttribute("name"),sources:{},vertices:{},primitives:[]},i=un(t,"mesh")[0];if(i!==void 0){for(let n=0;n<i.childNodes.length;n++){let r=i.childNodes[n];if(r.nodeType!==1)continue;let o=r.getAttribute("id");switch(r.nodeName){case"source":e.sources[o]=this.parseSource(r);break;case"vertices":e.vertices=this.parseGeometryVertices(r);break;case"polygons":case"lines":case"linestrips":case"polylist":case"triangles":e.primitives.push(this.parseGeometryPrimitive(r));break;default:}}this.library.geometries[t.getAttribute("id")]=e}}parseSource(t){let e={array:[],stride:3};for(let i=0;i<t.childNodes.length;i++){let n=t.childNodes[i];if(n.nodeType===1)switch(n.nodeName){case"float_array":e.array=$i(n.textContent);break;case"Name_array":e.array=KA(n.textContent);break;case"technique_common":let r=un(n,"accessor")[0];r!==void 0&&(e.stride=parseInt(r.getAttribute("stride")));break}}return e}parseGeometryVertices(t){let e={};for(let i=0;i<t.childNodes.length;i++){let n=t.childNodes[i];n.nodeType===1&&(e[n.getAttribute("semantic")]=Oi(n.getAttribute("source")))}return e}parseGeometryPrimitive(t){let e={type:t.nodeName,material:t.getAttribute("material"),count:parseInt(t.getAttribute("count")),inputs:{},stride:0,hasUV:!1};for(let i=0,n=t.childNodes.length;i<n;i++){let r=t.childNodes[i];if(r.nodeType===1)switch(r.nodeName){case"input":let o=Oi(r.getAttribute("source")),a=r.getAttribute("semantic"),l=parseInt(r.getAttribute("offset")),c=parseInt(r.getAttribute("set")),h=c>0?a+c:a;e.inputs[h]={id:o,offset:l},e.stride=Math.max(e.stride,l+1),a==="TEXCOORD"&&(e.hasUV=!0);break;case"vcount":e.vcount=lu(r.textContent);break;case"p":e.p=lu(r.textContent);break}}return e.type==="polygons"&&(e.vcount=[e.p.length/e.stride]),e}parseLibraryJoint(t){this.library.joints[t.getAttribute("id")]=this.parseKinematicsJoint(t)}parseKinematicsModel(t){let e={name:t.getAttribute("name")||"",joints:{},links:[]};for(let i=0;i<t.childNodes.length;i++){let n=t.childNodes[i];n.nodeType===1&&n.nodeName==="technique_common"&&this.parseKinematicsTechniqueCommon(n,e)}this.library.kinematicsModels[t.getAttribute("id")]=e}parseKinematicsTechniqueCommon(t,e){for(let i=0;i<t.childNodes.length;i++){let n=t.childNodes[i];if(n.nodeType===1)switch(n.nodeName){case"joint":e.joints[n.getAttribute("sid")]=this.parseKinematicsJoint(n);break;case"instance_joint":e.joints[n.getAttribute("sid")]=this.library.joints[Oi(n.getAttribute("url"))];break;case"link":e.links.push(this.parseKinematicsLink(n));break}}}parseKinematicsJoint(t){let e;for(let i=0;i<t.childNodes.length;i++){let n=t.childNodes[i];if(n.nodeType===1)switch(n.nodeName){case"prismatic":case"revolute":e=this.parseKinematicsJointParameter(n);break}}return e}parseKinematicsJointParameter(t){let e={sid:t.getAttribute("sid"),name:t.getAttribute("name")||"",axis:new V,limits:{min:0,max:0},type:t.nodeName,static:!1,zeroPosition:0,middlePosition:0};for(let i=0;i<t.childNodes.length;i++){let n=t.childNodes[i];if(n.nodeType===1)switch(n.nodeName){case"axis":let r=$i(n.textContent);e.axis.fromArray(r);break;case"limits":let o=n.getElementsByTagName("max")[0],a=n.getElementsByTagName("min")[0];e.limits.max=parseFloat(o.textContent),e.limits.min=parseFloat(a.textContent);break}}return e.limits.min>=e.limits.max&&(e.static=!0),e.middlePosition=(e.limits.min+e.limits.max)/2,e}parseKinematicsLink(t){let e={sid:t.getAttribute("sid"),name:t.getAttribute("name")||"",attachments:[],transforms:[]};for(let i=0;i<t.childNodes.length;i++){let n=t.childNodes[i];if(n.nodeType===1)switch(n.nodeName){case"attachment_full":e.attachments.push(this.parseKinematicsAttachment(n));break;case"matrix":case"translate":case"rotate":e.transforms.push(this.parseKinematicsTransform(n));break}}return e}parseKinematicsAttachment(t){let e={joint:t.getAttribute("joint").split("/").pop(),transforms:[],links:[]};for(let i=0;i<t.childNodes.length;i++){let n=t.childNodes[i];if(n.nodeType===1)switch(n.nodeName){case"link":e.links.push(this.parseKinematicsLink(n));break;case"matrix":case"translate":case"rotate":e.transforms.push(this.parseKinematicsTransform(n));break}}return e}parseKinematicsTransform(t){let e={type:t.nodeName},i=$i(t.textContent);switch(e.type){case"matrix":e.obj=new Jt,e.obj.fromArray(i).transpose();break;case"translate":e.obj=new V,e.obj.fromArray(i);break;case"rotate":e.obj=new V,e.obj.fromArray(i),e.angle=cn.degToRad(i[3]);break}return e}parsePhysicsModel(t){let e={name:t.getAttribute("name")||"",rigidBodies:{}};for(let i=0;i<t.childNodes.length;i++){let n=t.childNodes[i];n.nodeType===1&&n.nodeName==="rigid_body"&&(e.rigidBodies[n.getAttribute("name")]={},this.parsePhysicsRigidBody(n,e.rigidBodies[n.getAttribute("name")]))}this.library.physicsModels[t.getAttribute("id")]=e}parsePhysicsRigidBody(t,e){for(let i=0;i<t.childNodes.length;i++){let n=t.childNodes[i];n.nodeType===1&&n.nodeName==="technique_common"&&this.parsePhysicsTechniqueCommon(n,e)}}parsePhysicsTechniqueCommon(t,e){for(let i=0;i<t.childNodes.length;i++){let n=t.childNodes[i];if(n.nodeType===1)switch(n.nodeName){case"inertia":e.inertia=$i(n.textContent);break;case"mass":e.mass=$i(n.textContent)[0];break}}}parseKinematicsScene(t){let e={bindJointAxis:[]};for(let i=0;i<t.childNodes.length;i++){let n=t.childNodes[i];n.nodeType===1&&n.nodeName==="bind_joint_axis"&&e.bindJointAxis.push(this.parseKinematicsBindJointAxis(n))}this.library.kinematicsScenes[Oi(t.getAttribute("url"))]=e}parseKinematicsBindJointAxis(t){let e={target:t.getAttribute("target").split("/").pop()};for(let i=0;i<t.childNodes.length;i++){let n=t.childNodes[i];if(n.nodeType===1&&n.nodeName==="axis"){let r=n.getElementsByTagName("param")[0];e.axis=r.textContent;let o=e.axis.split("inst_").pop().split("axis")[0];e.jointIndex=o.substring(0,o.length-1)}}return e}prepareNodes(t){let e=t.getElementsByTagName("node");for(let i=0;i<e.length;i++){let n=e[i];n.hasAttribute("id")===!1&&n.setAttribute("id",this.generateId())}}parseNode(t){let e=new Jt,i=new V,n={name:t.getAttribute("name")||"",type:t.getAttribute("type"),id:t.getAttribute("id"),sid:t.getAttribute("sid"),matrix:new Jt,nodes:[],instanceCameras:[],instanceControllers:[],instanceLights:[],instanceGeometries:[],instanceNodes:[],transforms:{},transformData:{},transformOrder:[]};for(let r=0;r<t.childNodes.length;r++){let o=t.childNodes[r];if(o.nodeType!==1)continue;let a;switch(o.nodeName){case"node":n.nodes.push(o.getAttribute("id")),this.parseNode(o);break;case"instance_camera":n.instanceCameras.push(Oi(o.getAttribute("url")));break;case"instance_controller":n.instanceControllers.push(this.parseNodeInstance(o));break;case"instance_light":n.instanceLights.push(Oi(o.getAttribute("url")));break;case"instance_geometry":n.instanceGeometries.push(this.parseNodeInstance(o));break;case"instance_node":n.instanceNodes.push(Oi(o.getAttribute("url")));break;case"matrix":a=$i(o.textContent),n.matrix.multiply(e.fromArray(a).transpose());{let l=o.getAttribute("sid");n.transforms[l]=o.nodeName,n.transformData[l]={type:"matrix",array:a},n.transformOrder.push(l)}break;case"translate":a=$i(o.textContent),i.fromArray(a),n.matrix.multiply(e.makeTranslation(i.x,i.y,i.z));{let l=o.getAttribute("sid");n.transforms[l]=o.nodeName,n.transformData[l]={type:"translate",x:a[0],y:a[1],z:a[2]},n.transformOrder.push(l)}break;case"rotate":a=$i(o.textContent);{let l=cn.degToRad(a[3]);n.matrix.multiply(e.makeRotationAxis(i.fromArray(a),l));let c=o.getAttribute("sid");n.transforms[c]=o.nodeName,n.transformData[c]={type:"rotate",axis:[a[0],a[1],a[2]],angle:a[3]},n.transformOrder.push(c)}break;case"scale":a=$i(o.textContent),n.matrix.scale(i.fromArray(a));{let l=o.getAttribute("sid");n.transforms[l]=o.nodeName,n.transformData[l]={type:"scale",x:a[0],y:a[1],z:a[2]},n.transformOrder.push(l)}break;case"extra":break;default:}}return this.hasNode(n.id)?console.warn("THREE.ColladaLoader: There is already a node with ID %s. Exclude current node from further processing.",n.id):this.library.nodes[n.id]=n,n}parseNodeInstance(t){let e={id:Oi(t.getAttribute("url")),materials:{},skeletons:[]};for(let i=0;i<t.childNodes.length;i++){let n=t.childNodes[i];switch(n.nodeName){case"bind_material":let r=n.getElementsByTagName("instance_material");for(let o=0;o<r.length;o++){let a=r[o],l=a.getAttribute("symbol"),c=a.getAttribute("target");e.materials[l]=Oi(c)}break;case"skeleton":e.skeletons.push(Oi(n.textContent));break;default:break}}return e}parseVisualScene(t){let e={name:t.getAttribute("name"),children:[]};this.prepareNodes(t);let i=un(t,"node");for(let n=0;n<i.length;n++)e.children.push(this.parseNode(i[n]));this.library.visualScenes[t.getAttribute("id")]=e}hasNode(t){return this.library.nodes[t]!==void 0}};var hu=class{constructor(t,e,i,n){this.library=t,this.collada=e,this.textureLoader=i,this.tgaLoader=n,this.tempColor=new qt,this.animations=[],this.kinematics={},this.position=new V,this.scale=new V,this.quaternion=new De,this.matrix=new Jt,this.deferredPivotAnimations={},this.transformNodes={}}compose(){let t=this.library;this.buildLibrary(t.animations,this.buildAnimation.bind(this)),this.buildLibrary(t.clips,this.buildAnimationClip.bind(this)),this.buildLibrary(t.controllers,this.buildController.bind(this)),this.buildLibrary(t.images,this.buildImage.bind(this)),this.buildLibrary(t.effects,this.buildEffect.bind(this)),this.buildLibrary(t.materials,this.buildMaterial.bind(this)),this.buildLibrary(t.cameras,this.buildCamera.bind(this)),this.buildLibrary(t.lights,this.buildLight.bind(this)),this.buildLibrary(t.geometries,this.buildGeometry.bind(this)),this.buildLibrary(t.visualScenes,this.buildVisualScene.bind(this)),this.setupAnimations(),this.setupKinematics();let e=this.parseScene(un(this.collada,"scene")[0]);return e.animations=this.animations,{scene:e,animations:this.animations,kinematics:this.kinematics}}buildLibrary(t,e){for(let i in t){let n=t[i];n.build=e(t[i])}}getBuild(t,e){return t.build!==void 0||(t.build=e(t)),t.build}isEmpty(t){return Object.keys(t).length===0}buildAnimation(t){let e=[],i=t.channels,n=t.samplers,r=t.sources,o=this.aggregateAnimationChannels(i,n,r);for(let a in o){let l=this.library.nodes[a];if(!l)continue;let c=o[a];if(this.hasPivotTransforms(l))this.collectDeferredPivotAnimation(a,c);else{let h=this.getNode(a),u=!1;for(let d in c){let f=l.transforms[d],m=l.transformData[d],x=c[d];switch(f){case"matrix":this.buildMatrixTracks(h,x,l,e);break;case"translate":this.buildTranslateTrack(h,x,m,e);break;case"rotate":u||(this.buildRotateTrack(h,d,x,m,l,e),u=!0);break;case"scale":this.buildScaleTrack(h,x,m,e);break}}}}return e}collectDeferredPivotAnimation(t,e){this.deferredPivotAnimations[t]||(this.deferredPivotAnimations[t]={});let i=this.deferredPivotAnimations[t];for(let n in e){i[n]||(i[n]={});for(let r in e[n])i[n][r]=e[n][r]}}hasPivotTransforms(t){let e=["rotatePivot","rotatePivotInverse","rotatePivotTranslation","scalePivot","scalePivotInverse","scalePivotTranslation"];for(let i of e)if(t.transforms[i]!==void 0)return!0;return!1}getAnimation(t){return this.getBuild(this.library.animations[t],this.buildAnimation.bind(this))}aggregateAnimationChannels(t,e,i){let n={};for(let r in t){if(!t.hasOwnProperty(r))continue;let o=t[r],a=e[o.sampler],l=a.inputs.INPUT,c=a.inputs.OUTPUT,h=i[l],u=i[c],d=a.inputs.INTERPOLATION,f=a.inputs.IN_TANGENT,m=a.inputs.OUT_TANGENT,x=d?i[d]:null,g=f?i[f]:null,p=m?i[m]:null,_=o.id,w=o.sid,v=o.member||"default";n[_]||(n[_]={}),n[_][w]||(n[_][w]={}),n[_][w][v]={times:h.array,values:u.array,stride:u.stride,arraySyntax:o.arraySyntax,indices:o.indices,interpolation:x?x.array:null,inTangent:g?g.array:null,outTangent:p?p.array:null,inTangentStride:g?g.stride:0,outTangentStride:p?p.stride:0}}return n}buildMatrixTracks(t,e,i,n){let r=i.matrix.clone().transpose(),o={};for(let c in e){let h=e[c],u=h.times,d=h.values,f=h.stride;for(let m=0,x=u.length;m<x;m++){let g=u[m],p=m*f;if(o[g]===void 0&&(o[g]={}),h.arraySyntax===!0){let _=d[p],w=h.indices[0]+4*h.indices[1];o[g][w]=_}else for(let _=0;_<f;_++)o[g][_]=d[p+_]}}let a=this.prepareAnimationData(o,r),l={name:t.uuid,keyframes:a};this.createKeyframeTracks(l,n)}buildTranslateTrack(t,e,i,n){if(e.default&&e.default.stride===3){let c=e.default,h=Array.from(c.times),u=Array.from(c.values),d=new qi(t.uuid+".position",h,u),f=this.getInterpolationInfo(e);this.applyInterpolation(d,f,e),n.push(d);return}let r=this.getTimesForAllAxes(e);if(r.length===0)return;let o=[],a=this.getInterpolationInfo(e);for(let c=0;c<r.length;c++){let h=r[c],u=this.getValueAtTime(e.X,h,i.x),d=this.getValueAtTime(e.Y,h,i.y),f=this.getValueAtTime(e.Z,h,i.z);o.push(u,d,f)}let l=new qi(t.uuid+".position",r,o);this.applyInterpolation(l,a),n.push(l)}buildRotateTrack(t,e,i,n,r,o){let a=i.ANGLE||i.default;if(!a)return;let l=Array.from(a.times);if(l.length===0)return;let c=[];for(let g of r.transformOrder)if(r.transforms[g]==="rotate"){let _=r.transformData[g];c.push({sid:g,axis:new V(_.axis[0],_.axis[1],_.axis[2]),defaultAngle:_.angle})}let h=new De,u=new De,d=new De,f=[],m=this.getInterpolationInfo(i);for(let g=0;g<l.length;g++){let p=l[g];h.identity();for(let _ of c){let w;_.sid===e?w=this.getValueAtTime(a,p,_.defaultAngle):w=_.defaultAngle;let v=cn.degToRad(w);d.setFromAxisAngle(_.axis,v),h.multiply(d)}g>0&&u.dot(h)<0&&(h.x=-h.x,h.y=-h.y,h.z=-h.z,h.w=-h.w),u.copy(h),f.push(h.x,h.y,h.z,h.w)}let x=new us(t.uuid+".quaternion",l,f);this.applyInterpolation(x,m),o.push(x)}buildScaleTrack(t,e,i,n){if(e.default&&e.default.stride===3){let c=e.default,h=Array.from(c.times),u=Array.from(c.values),d=new qi(t.uuid+".scale",h,u),f=this.getInterpolationInfo(e);this.applyInterpolation(d,f,e),n.push(d);return}let r=this.getTimesForAllAxes(e);if(r.length===0)return;let o=[],a=this.getInterpolationInfo(e);for(let c=0;c<r.length;c++){let h=r[c],u=this.getValueAtTime(e.X,h,i.x),d=this.getValueAtTime(e.Y,h,i.y),f=this.getValueAtTime(e.Z,h,i.z);o.push(u,d,f)}let l=new qi(t.uuid+".scale",r,o);this.applyInterpolation(l,a),n.push(l)}getTimesForAllAxes(t){let e=[];return t.X&&(e=e.concat(Array.from(t.X.times))),t.Y&&(e=e.concat(Array.from(t.Y.times))),t.Z&&(e=e.concat(Array.from(t.Z.times))),t.ANGLE&&(e=e.concat(Array.from(t.ANGLE.times))),t.default&&(e=e.concat(Array.from(t.default.times))),e=[...new Set(e)].sort((i,n)=>i-n),e}getValueAtTime(t,e,i){if(!t)return i;let n=t.times,r=t.values,o=t.interpolation;for(let a=0;a<n.length;a++){if(n[a]===e)return r[a];if(n[a]>e){if(a===0)return r[0];let l=a-1,c=a,h=n[l],u=n[c],d=r[l],f=r[c],m=o?o[l]:"LINEAR";if(m==="STEP")return d;if(m==="BEZIER"&&t.inTangent&&t.outTangent)return this.evaluateBezierComponent(t,l,c,h,u,e);{let x=(e-h)/(u-h);return d+x*(f-d)}}}return r[r.length-1]}evaluateBezierComponent(t,e,i,n,r,o){let a=t.values,l=t.inTangent,c=t.outTangent,h=t.inTangentStride||1,u=a[e],d=a[i],f,m,x,g;h===2?(f=c[e*2],m=c[e*2+1],x=l[i*2],g=l[i*2+1]):(f=n+(r-n)/3,m=c[e],x=r-(r-n)/3,g=l[i]);let p=(o-n)/(r-n);for(let y=0;y<8;y++){let M=p*p,I=M*p,P=1-p,R=P*P,O=R*P*n+3*R*p*f+3*P*M*x+I*r,L=3*R*(f-n)+6*P*p*(x-f)+3*M*(r-x);if(Math.abs(L)<1e-10)break;let H=O-o;if(Math.abs(H)<1e-10)break;p=p-H/L,p=Math.max(0,Math.min(1,p))}let _=p*p,w=_*p,v=1-p,A=v*v;return A*v*u+3*A*p*m+3*v*_*g+w*d}getInterpolationInfo(t){let e=["X","Y","Z","ANGLE","default"],i=null,n=!0;for(let r of e){let o=t[r];if(!o||!o.interpolation)continue;let a=o.interpolation;for(let l=0;l<a.length;l++){let c=a[l];i===null?i=c:c!==i&&(n=!1)}}return{type:i||"LINEAR",uniform:n}}applyInterpolation(t,e,i=null){if(e.type==="STEP"&&e.uniform)t.setInterpolation(Rr);else if(e.type==="BEZIER"&&e.uniform&&i){let n=i.default;n&&n.inTangent&&n.outTangent&&(t.setInterpolation(Fa),t.settings={inTangents:new Float32Array(n.inTangent),outTangents:new Float32Array(n.outTangent)})}}prepareAnimationData(t,e){let i=[];for(let n in t)i.push({time:parseFloat(n),value:t[n]});i.sort((n,r)=>n.time-r.time);for(let n=0;n<16;n++)this.transformAnimationData(i,n,e.elements[n]);return i}createKeyframeTracks(t,e){let i=t.keyframes,n=t.name,r=[],o=[],a=[],l=[],c=this.position,h=this.quaternion,u=this.scale,d=this.matrix;for(let f=0,m=i.length;f<m;f++){let x=i[f],g=x.time,p=x.value;d.fromArray(p).transpose(),d.decompose(c,h,u),r.push(g),o.push(c.x,c.y,c.z),a.push(h.x,h.y,h.z,h.w),l.push(u.x,u.y,u.z)}return o.length>0&&e.push(new qi(n+".position",r,o)),a.length>0&&e.push(new us(n+".quaternion",r,a)),l.length>0&&e.push(new qi(n+".scale",r,l)),e}transformAnimationData(t,e,i){let n,r=!0,o,a;for(o=0,a=t.length;o<a;o++)n=t[o],n.value[e]===void 0?n.value[e]=null:r=!1;if(r===!0)for(o=0,a=t.length;o<a;o++)n=t[o],n.value[e]=i;else this.createMissingKeyframes(t,e)}createMissingKeyframes(t,e){let i,n;for(let r=0,o=t.length;r<o;r++){let a=t[r];if(a.value[e]===null){if(i=this.getPrev(t,r,e),n=this.getNext(t,r,e),i===null){a.value[e]=n.value[e];continue}if(n===null){a.value[e]=i.value[e];continue}this.interpolate(a,i,n,e)}}}getPrev(t,e,i){for(;e>=0;){let n=t[e];if(n.value[i]!==null)return n;e--}return null}getNext(t,e,i){for(;e<t.length;){let n=t[e];if(n.value[i]!==null)return n;e++}return null}interpolate(t,e,i,n){if(i.time-e.time===0){t.value[n]=e.value[n];return}t.value[n]=(t.time-e.time)*(i.value[n]-e.value[n])/(i.time-e.time)+e.value[n]}buildAnimationClip(t){let e=[],i=t.name,n=t.end-t.start||-1,r=t.animations;for(let o=0,a=r.length;o<a;o++){let l=this.getAnimation(r[o]);for(let c=0,h=l.length;c<h;c++)e.push(l[c])}return new Ho(i,n,e)}getAnimationClip(t){return this.getBuild(this.library.clips[t],this.buildAnimationClip.bind(this))}buildController(t){let e={id:t.id},i=this.library.geometries[e.id];return t.skin!==void 0&&(e.skin=this.buildSkin(t.skin),i.sources.skinIndices=e.skin.indices,i.sources.skinWeights=e.skin.weights),e}buildSkin(t){let i={joints:[],indices:{array:[],stride:4},weights:{array:[],stride:4}},n=t.sources,r=t.vertexWeights,o=r.vcount,a=r.v,l=r.inputs.JOINT.offset,c=r.inputs.WEIGHT.offset,h=t.sources[t.joints.inputs.JOINT],u=t.sources[t.joints.inputs.INV_BIND_MATRIX],d=n[r.inputs.WEIGHT.id].array,f=0,m,x,g;for(m=0,g=o.length;m<g;m++){let _=o[m],w=[];for(x=0;x<_;x++){let v=a[f+l],A=a[f+c],S=d[A];w.push({index:v,weight:S}),f+=2}for(w.sort(p),x=0;x<4;x++){let v=w[x];v!==void 0?(i.indices.array.push(v.index),i.weights.array.push(v.weight)):(i.indices.array.push(0),i.weights.array.push(0))}}for(t.bindShapeMatrix?i.bindMatrix=new Jt().fromArray(t.bindShapeMatrix).transpose():i.bindMatrix=new Jt().identity(),m=0,g=h.array.length;m<g;m++){let _=h.array[m],w=new Jt().fromArray(u.array,m*u.stride).transpose();i.joints.push({name:_,boneInverse:w})}return i;function p(_,w){return w.weight-_.weight}}getController(t){return this.getBuild(this.library.controllers[t],this.buildController.bind(this))}buildImage(t){return t.build!==void 0?t.build:t.init_from}getImage(t){let e=this.library.images[t];return e!==void 0?this.getBuild(e,this.buildImage.bind(this)):(console.warn("THREE.ColladaLoader: Couldn't find image with ID:",t),null)}buildEffect(t){return t}getEffect(t){return this.getBuild(this.library.effects[t],this.buildEffect.bind(this))}getTextureLoader(t){let e,i=t.slice((t.lastIndexOf(".")-1>>>0)+2);return i=i.toLowerCase(),i==="tga"?e=this.tgaLoader:e=this.textureLoader,e}buildMaterial(t){let e=this.getEffect(t.url),i=e.profile.technique,n;switch(i.type){case"phong":case"blinn":n=new In;break;case"lambert":n=new Ur;break;default:n=new jn;break}n.name=t.name||"";let r=this;function o(h,u=null){let d=e.profile.samplers[h.id],f=null;if(d!==void 0){let m=e.profile.surfaces[d.source];f=r.getImage(m.init_from)}else console.warn("THREE.ColladaLoader: Undefined sampler. Access image directly (see #12530)."),f=r.getImage(h.id);if(f!==null){let m=r.getTextureLoader(f);if(m!==void 0){let x=m.load(f),g=h.extra;if(g!==void 0&&g.technique!==void 0&&r.isEmpty(g.technique)===!1){let p=g.technique;x.wrapS=p.wrapU?Is:nn,x.wrapT=p.wrapV?Is:nn,x.offset.set(p.offsetU||0,p.offsetV||0),x.repeat.set(p.repeatU||1,p.repeatV||1)}else x.wrapS=Is,x.wrapT=Is;return u!==null&&(x.colorSpace=u),x}else return console.warn("THREE.ColladaLoader: Loader for texture %s not found.",f),null}else return console.warn("THREE.ColladaLoader: Couldn't create texture with ID:",h.id),null}let a=i.parameters;for(let h in a){let u=a[h];switch(h){case"diffuse":u.color&&n.color.fromArray(u.color),u.texture&&(n.map=o(u.texture,Le));break;case"specular":u.color&&n.specular&&n.specular.fromArray(u.color),u.texture&&(n.specularMap=o(u.texture));break;case"bump":u.texture&&(n.normalMap=o(u.texture));break;case"ambient":u.texture&&(n.lightMap=o(u.texture,Le));break;case"shininess":u.float&&n.shininess&&(n.shininess=u.float);break;case"emission":u.color&&n.emissive&&n.emissive.fromArray(u.color),u.texture&&(n.emissiveMap=o(u.texture,Le));break}}ue.colorSpaceToWorking(n.color,Le),n.specular&&ue.colorSpaceToWorking(n.specular,Le),n.emissive&&ue.colorSpaceToWorking(n.emissive,Le);let l=a.transparent,c=a.transparency;if(c===void 0&&l&&(c={float:1}),l===void 0&&c&&(l={opaque:"A_ONE",data:{color:[1,1,1,1]}}),l&&c)if(l.data.texture)n.transparent=!0;else{let h=l.data.color;switch(l.opaque){case"A_ONE":n.opacity=h[3]*c.float;break;case"RGB_ZERO":n.opacity=1-h[0]*c.float;break;case"A_ZERO":n.opacity=1-h[3]*c.float;break;case"RGB_ONE":n.opacity=h[0]*c.float;break;default:console.warn('THREE.ColladaLoader: Invalid opaque type "%s" of transparent tag.',l.opaque)}n.opacity<1&&(n.transparent=!0)}if(i.extra!==void 0&&i.extra.technique!==void 0){let h=i.extra.technique;for(let u in h){let d=h[u];switch(u){case"double_sided":n.side=d===1?Nn:fs;break;case"bump":n.normalMap=o(d.texture),n.normalScale=new $t(1,1);break}}}return n}getMaterial(t){return this.getBuild(this.library.materials[t],this.buildMaterial.bind(this))}buildCamera(t){let e;switch(t.optics.technique){case"perspective":e=new yi(t.optics.parameters.yfov,t.optics.parameters.aspect_ratio,t.optics.parameters.znear,t.optics.parameters.zfar);break;case"orthographic":let i=t.optics.parameters.ymag,n=t.optics.parameters.xmag,r=t.optics.parameters.aspect_ratio;n=n===void 0?i*r:n,i=i===void 0?n/r:i,n*=.5,i*=.5,e=new Or(-n,n,i,-i,t.optics.parameters.znear,t.optics.parameters.zfar);break;default:e=new yi;break}return e.name=t.name||"",e}getCamera(t){let e=this.library.cameras[t];return e!==void 0?this.getBuild(e,this.buildCamera.bind(this)):(console.warn("THREE.ColladaLoader: Couldn't find camera with ID:",t),null)}buildLight(t){let e;switch(t.technique){case"directional":e=new rr;break;case"point":e=new sl;break;case"spot":e=new nl;break;case"ambient":e=new kr;break}return t.parameters.color&&e.color.copy(t.parameters.color),t.parameters.distance&&(e.distance=t.parameters.distance),t.parameters.falloffAngle&&(e.angle=cn.degToRad(t.parameters.falloffAngle)),e}getLight(t){let e=this.library.lights[t];return e!==void 0?this.getBuild(e,this.buildLight.bind(this)):(console.warn("THREE.ColladaLoader: Couldn't find light with ID:",t),null)}groupPrimitives(t){let e={};for(let i=0;i<t.length;i++){let n=t[i];e[n.type]===void 0&&(e[n.type]=[]),e[n.type].push(n)}return e}checkUVCoordinates(t){let e=0;for(let i=0,n=t.length;i<n;i++)t[i].hasUV===!0&&e++;e>0&&e<t.length&&(t.uvsNeedsFix=!0)}buildGeometry(t){let e={},i=t.sources,n=t.vertices,r=t.primitives;if(r.length===0)return{};let o=this.groupPrimitives(r);for(let a in o){let l=o[a];this.checkUVCoordinates(l),e[a]=this.buildGeometryType(l,i,n)}return e}buildGeometryType(t,e,i){let n={},r={array:[],stride:0},o={array:[],stride:0},a={array:[],stride:0},l={array:[],stride:0},c={array:[],stride:0},h={array:[],stride:4},u={array:[],stride:4},d=new ke,f=[],m=0;for(let x=0;x<t.length;x++){let g=t[x],p=g.inputs,_=0;switch(g.type){case"lines":case"linestrips":_=g.count*2;break;case"triangles":_=g.count*3;break;case"polygons":case"polylist":for(let w=0;w<g.count;w++){let v=g.vcount[w];switch(v){case 3:_+=3;break;case 4:_+=6;break;default:_+=(v-2)*3;break}}break;default:console.warn("THREE.ColladaLoader: Unknown primitive type:",g.type)}d.addGroup(m,_,x),m+=_,g.material&&f.push(g.material),g.positionSource=e[i.POSITION],g.positionOffset=p.VERTEX.offset;for(let w in p){let v=p[w];switch(w){case"VERTEX":for(let A in i){let S=i[A];switch(A){case"POSITION":let y=r.array.length;if(this.buildGeometryData(g,e[S],v.offset,r.array),r.stride=e[S].stride,e.skinWeights&&e.skinIndices&&(this.buildGeometryData(g,e.skinIndices,v.offset,h.array),this.buildGeometryData(g,e.skinWeights,v.offset,u.array)),g.hasUV===!1&&t.uvsNeedsFix===!0){let M=(r.array.length-y)/r.stride;for(let I=0;I<M;I++)a.array.push(0,0)}break;case"NORMAL":this.buildGeometryData(g,e[S],v.offset,o.array),o.stride=e[S].stride;break;case"COLOR":this.buildGeometryData(g,e[S],v.offset,c.array,!0),c.stride=e[S].stride;break;case"TEXCOORD":this.buildGeometryData(g,e[S],v.offset,a.array),a.stride=e[S].stride;break;case"TEXCOORD1":this.buildGeometryData(g,e[S],v.offset,l.array),a.stride=e[S].stride;break;default:console.warn('THREE.ColladaLoader: Semantic "%s" not handled in geometry build process.',A)}}break;case"NORMAL":this.buildGeometryData(g,e[v.id],v.offset,o.array),o.stride=e[v.id].stride;break;case"COLOR":this.buildGeometryData(g,e[v.id],v.offset,c.array,!0),c.stride=e[v.id].stride;break;case"TEXCOORD":this.buildGeometryData(g,e[v.id],v.offset,a.array),a.stride=e[v.id].stride;break;case"TEXCOORD1":this.buildGeometryData(g,e[v.id],v.offset,l.array),l.stride=e[v.id].stride;break}}}return r.array.length>0&&d.setAttribute("position",new re(r.array,r.stride)),o.array.length>0&&d.setAttribute("normal",new re(o.array,o.stride)),c.array.length>0&&d.setAttribute("color",new re(c.array,c.stride)),a.array.length>0&&d.setAttribute("uv",new re(a.array,a.stride)),l.array.length>0&&d.setAttribute("uv1",new re(l.array,l.stride)),h.array.length>0&&d.setAttribute("skinIndex",new re(h.array,h.stride)),u.array.length>0&&d.setAttribute("skinWeight",new re(u.array,u.stride)),n.data=d,n.type=t[0].type,n.materialKeys=f,n}buildGeometryData(t,e,i,n,r=!1){let o=t.p,a=t.stride,l=t.vcount,c=t.positionSource,h=t.positionOffset,u=this.tempColor;function d(x){let g=o[x+i]*m,p=g+m;for(;g<p;g++)n.push(f[g]);if(r){let _=n.length-m;u.setRGB(n[_+0],n[_+1],n[_+2],Le),n[_+0]=u.r,n[_+1]=u.g,n[_+2]=u.b}}let f=e.array,m=e.stride;if(t.vcount!==void 0){let x=0;for(let g=0,p=l.length;g<p;g++){let _=l[g];if(_===4){let w=x+a*0,v=x+a*1,A=x+a*2,S=x+a*3;d(w),d(v),d(S),d(v),d(A),d(S)}else if(_===3){let w=x+a*0,v=x+a*1,A=x+a*2;d(w),d(v),d(A)}else if(_>4){let w=[];for(let I=0;I<_;I++){let P=x+a*I+h,R=o[P]*c.stride,U=c.array[R],O=c.array[R+1],L=c.array[R+2];w.push(new V(U,O,L))}let v=new V,A=new ls;A.a=w[0],A.b=w[1],A.c=w[2],A.getNormal(v);let S=[];if(Math.abs(v.x)>Math.abs(v.y)&&Math.abs(v.x)>Math.abs(v.z))for(let I=0;I<_;I++)S.push(new $t(w[I].y,w[I].z));else if(Math.abs(v.y)>Math.abs(v.z))for(let I=0;I<_;I++)S.push(new $t(w[I].x,w[I].z));else for(let I=0;I<_;I++)S.push(new $t(w[I].x,w[I].y));let y=Vo.isClockWise(S);y===!0&&S.reverse();let M=Vo.triangulateShape(S,[]);for(let I=0;I<M.length;I++){let P=M[I],R,U,O;y===!1?(R=P[0],U=P[1],O=P[2]):(R=_-1-P[0],U=_-1-P[2],O=_-1-P[1]);let L=x+a*R,H=x+a*U,k=x+a*O;d(L),d(H),d(k)}}x+=a*_}}else for(let x=0,g=o.length;x<g;x+=a)d(x)}getGeometry(t){return this.getBuild(this.library.geometries[t],this.buildGeometry.bind(this))}buildKinematicsModel(t){return t.build!==void 0?t.build:t}getKinematicsModel(t){return this.getBuild(this.library.kinematicsModels[t],this.buildKinematicsModel.bind(this))}buildKinematicsScene(t){return t.build!==void 0?t.build:t}getKinematicsScene(t){return this.getBuild(this.library.kinematicsScenes[t],this.buildKinematicsScene.bind(this))}setupKinematics(){let t=Object.keys(this.library.kinematicsModels)[0],e=Object.keys(this.library.kinematicsScenes)[0],i=Object.keys(this.library.visualScenes)[0];if(t===void 0||e===void 0)return;let n=this.getKinematicsModel(t),r=this.getKinematicsScene(e),o=this.getVisualScene(i),a=r.bindJointAxis,l={},c=this.collada,h=this;for(let m=0,x=a.length;m<x;m++){let g=a[m],p=c.querySelector('[sid="'+g.target+'"]');if(p){let _=p.parentElement;u(g.jointIndex,_)}}function u(m,x){let g=x.getAttribute("name"),p=n.joints[m],_=h.buildTransformList(x);o.traverse(function(w){w.name===g&&(l[m]={object:w,transforms:_,joint:p,position:p.zeroPosition})})}let d=new Jt,f=this.matrix;this.kinematics={joints:n&&n.joints,getJointValue:function(m){let x=l[m];if(x)return x.position;console.warn("THREE.ColladaLoader: Joint "+m+" doesn't exist.")},setJointValue:function(m,x){let g=l[m];if(g){let p=g.joint;if(x>p.limits.max||x<p.limits.min)console.warn("THREE.ColladaLoader: Joint "+m+" value "+x+" outside of limits (min: "+p.limits.min+", max: "+p.limits.max+").");else if(p.static)console.warn("THREE.ColladaLoader: Joint "+m+" is static.");else{let _=g.object,w=p.axis,v=g.transforms;f.identity();for(let A=0;A<v.length;A++){let S=v[A];if(S.sid&&S.sid.indexOf(m)!==-1)switch(p.type){case"revolute":f.multiply(d.makeRotationAxis(w,cn.degToRad(x)));break;case"prismatic":f.multiply(d.makeTranslation(w.x*x,w.y*x,w.z*x));break;default:console.warn("THREE.ColladaLoader: Unknown joint type: "+p.type);break}else switch(S.type){case"matrix":f.multiply(S.obj);break;case"translate":f.multiply(d.makeTranslation(S.obj.x,S.obj.y,S.obj.z));break;case"scale":f.scale(S.obj);break;case"rotate":f.multiply(d.makeRotationAxis(S.obj,S.angle));break}}_.matrix.copy(f),_.matrix.decompose(_.position,_.quaternion,_.scale),l[m].position=x}}else console.warn("THREE.ColladaLoader: Joint "+m+" does not exist.")}}}buildTransformList(t){let e=[],i=this.collada.querySelector('[id="'+t.id+'"]');for(let n=0;n<i.childNodes.length;n++){let r=i.childNodes[n];if(r.nodeType!==1)continue;let o,a;switch(r.nodeName){case"matrix":o=$i(r.textContent);let l=new Jt().fromArray(o).transpose();e.push({sid:r.getAttribute("sid"),type:r.nodeName,obj:l});break;case"translate":case"scale":o=$i(r.textContent),a=new V().fromArray(o),e.push({sid:r.getAttribute("sid"),type:r.nodeName,obj:a});break;case"rotate":o=$i(r.textContent),a=new V().fromArray(o);let c=cn.degToRad(o[3]);e.push({sid:r.getAttribute("sid"),type:r.nodeName,obj:a,angle:c});break}}return e}buildSkeleton(t,e){let i=[],n=[],r,o,a;for(r=0;r<t.length;r++){let h=t[r],u;if(this.hasNode(h))u=this.getNode(h),this.buildBoneHierarchy(u,e,i);else if(this.hasVisualScene(h)){let f=this.library.visualScenes[h].children;for(let m=0;m<f.length;m++){let x=f[m];if(x.type==="JOINT"){let g=this.getNode(x.id);this.buildBoneHierarchy(g,e,i)}}}else console.error("THREE.ColladaLoader: Unable to find root bone of skeleton with ID:",h)}for(r=0;r<e.length;r++)for(o=0;o<i.length;o++)if(a=i[o],a.bone.name===e[r].name){n[r]=a,a.processed=!0;break}for(r=0;r<i.length;r++)a=i[r],a.processed===!1&&(n.push(a),a.processed=!0);let l=[],c=[];for(r=0;r<n.length;r++)a=n[r],l.push(a.bone),c.push(a.boneInverse);return new Wa(l,c)}buildBoneHierarchy(t,e,i){t.traverse(function(n){if(n.isBone===!0){let r;for(let o=0;o<e.length;o++){let a=e[o];if(a.name===n.name){r=a.boneInverse;break}}r===void 0&&(r=new Jt),i.push({bone:n,boneInverse:r,processed:!1})}})}buildNode(t){let e=[],i=t.matrix,n=t.nodes,r=t.type,o=t.instanceCameras,a=t.instanceControllers,l=t.instanceLights,c=t.instanceGeometries,h=t.instanceNodes;for(let d=0,f=n.length;d<f;d++)e.push(this.getNode(n[d]));for(let d=0,f=o.length;d<f;d++){let m=this.getCamera(o[d]);m!==null&&e.push(m.clone())}for(let d=0,f=a.length;d<f;d++){let m=a[d],x=this.getController(m.id),g=this.getGeometry(x.id),p=this.buildObjects(g,m.materials),_=m.skeletons,w=x.skin.joints,v=this.buildSkeleton(_,w);for(let A=0,S=p.length;A<S;A++){let y=p[A];y.isSkinnedMesh&&(y.bind(v,x.skin.bindMatrix),y.normalizeSkinWeights()),e.push(y)}}for(let d=0,f=l.length;d<f;d++){let m=this.getLight(l[d]);m!==null&&e.push(m.clone())}for(let d=0,f=c.length;d<f;d++){let m=c[d],x=this.getGeometry(m.id),g=this.buildObjects(x,m.materials);for(let p=0,_=g.length;p<_;p++)e.push(g[p])}for(let d=0,f=h.length;d<f;d++)e.push(this.getNode(h[d]).clone());let u;if(n.length===0&&e.length===1)u=e[0];else{u=r==="JOINT"?new ko:new Bi;for(let d=0;d<e.length;d++)u.add(e[d])}return u.name=r==="JOINT"?t.sid:t.name,r!=="JOINT"&&this.hasPivotTransforms(t)?this.wrapWithTransformHierarchy(u,t):(u.matrix.copy(i),u.matrix.decompose(u.position,u.quaternion,u.scale),u)}wrapWithTransformHierarchy(t,e){let i=e.id;this.transformNodes[i]={};let n=e.transformOrder,r=e.transformData,o=new Bi;o.name=e.name;let a=o;for(let l=0;l<n.length;l++){let c=n[l],h=r[c],u=new Bi;switch(u.name=e.name+"_"+c,h.type){case"translate":u.position.set(h.x,h.y,h.z);break;case"rotate":{let d=new V(h.axis[0],h.axis[1],h.axis[2]),f=cn.degToRad(h.angle);u.quaternion.setFromAxisAngle(d,f),u.userData.rotationAxis=d;break}case"scale":u.scale.set(h.x,h.y,h.z);break;case"matrix":{new Jt().fromArray(h.array).transpose().decompose(u.position,u.quaternion,u.scale);break}}this.transformNodes[i][c]=u,a.add(u),a=u}return a.add(t),o}resolveMaterialBinding(t,e){let i=[];for(let n=0,r=t.length;n<r;n++){let o=e[t[n]];o===void 0?(console.warn("THREE.ColladaLoader: Material with key %s not found. Apply fallback material.",t[n]),i.push(this.fallbackMaterial)):i.push(this.getMaterial(o))}return i}get fallbackMaterial(){return this._fallbackMaterial===void 0&&(this._fallbackMaterial=new jn({name:Yi.DEFAULT_MATERIAL_NAME,color:16711935})),this._fallbackMaterial}buildObjects(t,e){let i=[];for(let n in t){let r=t[n],o=this.resolveMaterialBinding(r.materialKeys,e);if(o.length===0&&(n==="lines"||n==="linestrips"?o.push(new zi):o.push(new In)),n==="lines"||n==="linestrips")for(let h=0,u=o.length;h<u;h++){let d=o[h];if(d.isMeshPhongMaterial===!0||d.isMeshLambertMaterial===!0){let f=new zi;f.color.copy(d.color),f.opacity=d.opacity,f.transparent=d.transparent,o[h]=f}}let a=r.data.attributes.skinIndex!==void 0,l=o.length===1?o[0]:o,c;switch(n){case"lines":c=new wn(r.data,l);break;case"linestrips":c=new Lr(r.data,l);break;case"triangles":case"polygons":case"polylist":a?c=new Ha(r.data,l):c=new Ge(r.data,l);break}i.push(c)}return i}hasNode(t){return this.library.nodes[t]!==void 0}getNode(t){return this.getBuild(this.library.nodes[t],this.buildNode.bind(this))}buildVisualScene(t){let e=new Bi;e.name=t.name;let i=t.children;for(let n=0;n<i.length;n++){let r=i[n];e.add(this.getNode(r.id))}return e}hasVisualScene(t){return this.library.visualScenes[t]!==void 0}getVisualScene(t){return this.getBuild(this.library.visualScenes[t],this.buildVisualScene.bind(this))}parseScene(t){let e=un(t,"instance_visual_scene")[0];return this.getVisualScene(this.parseId(e.getAttribute("url")))}parseId(t){return t.substring(1)}setupAnimations(){let t=this.library.clips;if(this.isEmpty(t)===!0){if(this.isEmpty(this.library.animations)===!1){let e=[];for(let i in this.library.animations){let n=this.getAnimation(i);for(let r=0,o=n.length;r<o;r++)e.push(n[r])}this.buildDeferredPivotAnimationTracks(e),this.animations.push(new Ho("default",-1,e))}}else for(let e in t)this.animations.push(this.getAnimationClip(e))}buildDeferredPivotAnimationTracks(t){for(let e in this.deferredPivotAnimations){let i=this.library.nodes[e];if(!i)continue;let n=this.deferredPivotAnimations[e];this.buildTransformHierarchyTracks(e,n,i,t)}}buildTransformHierarchyTracks(t,e,i,n){let r=this.transformNodes[t];if(!r){console.warn("THREE.ColladaLoader: Transform hierarchy not found for node:",t);return}for(let o in e){let a=r[o];if(!a)continue;let l=i.transforms[o],c=i.transformData[o],h=e[o];switch(l){case"translate":this.buildHierarchyTranslateTrack(a,h,c,n);break;case"rotate":this.buildHierarchyRotateTrack(a,h,c,n);break;case"scale":this.buildHierarchyScaleTrack(a,h,c,n);break}}}buildHierarchyTranslateTrack(t,e,i,n){if(e.default&&e.default.stride===3){let c=e.default,h=new qi(t.uuid+".position",Array.from(c.times),Array.from(c.values)),u=this.getInterpolationInfo(e);this.applyInterpolation(h,u,e),n.push(h);return}let r=this.getTimesForAllAxes(e);if(r.length===0)return;let o=[],a=this.getInterpolationInfo(e);for(let c=0;c<r.length;c++){let h=r[c],u=this.getValueAtTime(e.X,h,i.x),d=this.getValueAtTime(e.Y,h,i.y),f=this.getValueAtTime(e.Z,h,i.z);o.push(u,d,f)}let l=new qi(t.uuid+".position",r,o);this.applyInterpolation(l,a),n.push(l)}buildHierarchyRotateTrack(t,e,i,n){let r=e.ANGLE||e.default;if(!r)return;let o=Array.from(r.times);if(o.length===0)return;let a=t.userData.rotationAxis||new V(i.axis[0],i.axis[1],i.axis[2]),l=new De,c=new De,h=[],u=this.getInterpolationInfo(e);for(let f=0;f<o.length;f++){let m=o[f],x=this.getValueAtTime(r,m,i.angle),g=cn.degToRad(x);l.setFromAxisAngle(a,g),f>0&&c.dot(l)<0&&(l.x=-l.x,l.y=-l.y,l.z=-l.z,l.w=-l.w),c.copy(l),h.push(l.x,l.y,l.z,l.w)}let d=new us(t.uuid+".quaternion",o,h);this.applyInterpolation(d,u),n.push(d)}buildHierarchyScaleTrack(t,e,i,n){if(e.default&&e.default.stride===3){let c=e.default,h=new qi(t.uuid+".scale",Array.from(c.times),Array.from(c.values)),u=this.getInterpolationInfo(e);this.applyInterpolation(h,u,e),n.push(h);return}let r=this.getTimesForAllAxes(e);if(r.length===0)return;let o=[],a=this.getInterpolationInfo(e);for(let c=0;c<r.length;c++){let h=r[c],u=this.getValueAtTime(e.X,h,i.x),d=this.getValueAtTime(e.Y,h,i.y),f=this.getValueAtTime(e.Z,h,i.z);o.push(u,d,f)}let l=new qi(t.uuid+".scale",r,o);this.applyInterpolation(l,a),n.push(l)}};var ea=class extends Yi{load(t,e,i,n){let r=this,o=r.path===""?Br.extractUrlBase(t):r.path,a=new ds(r.manager);a.setPriority(r.priority),a.setCache(r.cache),a.setPath(r.path),a.setRequestHeader(r.requestHeader),a.setWithCredentials(r.withCredentials),a.load(t,function(l){try{e(r.parse(l,o))}catch(c){n?n(c):console.error(c),r.manager.itemError(t)}},i,n)}parse(t,e){if(t.length===0)return{scene:new Ir};let n=new cu().parse(t);if(n===null)return null;let{library:r,asset:o,collada:a}=n,l=new Fr(this.manager);l.setPriority(this.priority),l.setCache(this.cache),l.setPath(this.resourcePath||e).setCrossOrigin(this.crossOrigin);let c;Sl&&(c=new Sl(this.manager),c.setPriority(this.priority),c.setCache(this.cache),c.setPath(this.resourcePath||e),c.setRequestHeader(this.requestHeader),c.setWithCredentials(this.withCredentials));let h=new hu(r,a,l,c),{scene:u,animations:d,kinematics:f}=h.compose();return u.animations=d,o.upAxis==="Z_UP"&&(console.warn("THREE.ColladaLoader: You are loading an asset with a Z-UP coordinate system. The loader just rotates the asset to transform it into Y-UP. The vertex data are not converted, see #24289."),u.rotation.set(-Math.PI/2,0,0)),u.scale.multiplyScalar(o.unit),{get animations(){return console.warn("THREE.ColladaLoader: Please access animations over scene.animations now."),d},kinematics:f,library:r,scene:u}}};var QA=/^[og]\s*(.+)?/,tE=/^mtllib /,eE=/^usemtl /,iE=/^usemap /,uu=/\s+/,k_=new V,ep=new V,B_=new V,z_=new V,Fn=new V,du=new qt;function nE(){let s={objects:[],object:{},vertices:[],normals:[],colors:[],uvs:[],materials:{},materialLibraries:[],startObject:function(t,e){if(this.object&&this.object.fromDeclaration===!1){this.object.name=t,this.object.fromDeclaration=e!==!1;return}let i=this.object&&typeof this.object.currentMaterial=="function"?this.object.currentMaterial():void 0;if(this.object&&typeof this.object._finalize=="function"&&this.object._finalize(!0),this.object={name:t||"",fromDeclaration:e!==!1,geometry:{vertices:[],normals:[],colors:[],uvs:[],hasUVIndices:!1},materials:[],smooth:!0,startMaterial:function(n,r){let o=this._finalize(!1);o&&(o.inherited||o.groupCount<=0)&&this.materials.splice(o.index,1);let a={index:this.materials.length,name:n||"",mtllib:Array.isArray(r)&&r.length>0?r[r.length-1]:"",smooth:o!==void 0?o.smooth:this.smooth,groupStart:o!==void 0?o.groupEnd:0,groupEnd:-1,groupCount:-1,inherited:!1,clone:function(l){let c={index:typeof l=="number"?l:this.index,name:this.name,mtllib:this.mtllib,smooth:this.smooth,groupStart:0,groupEnd:-1,groupCount:-1,inherited:!1};return c.clone=this.clone.bind(c),c}};return this.materials.push(a),a},currentMaterial:function(){if(this.materials.length>0)return this.materials[this.materials.length-1]},_finalize:function(n){let r=this.currentMaterial();if(r&&r.groupEnd===-1&&(r.groupEnd=this.geometry.vertices.length/3,r.groupCount=r.groupEnd-r.groupStart,r.inherited=!1),n&&this.materials.length>1)for(let o=this.materials.length-1;o>=0;o--)this.materials[o].groupCount<=0&&this.materials.splice(o,1);return n&&this.materials.length===0&&this.materials.push({name:"",smooth:this.smooth}),r}},i&&i.name&&typeof i.clone=="function"){let n=i.clone(0);n.inherited=!0,this.object.materials.push(n)}this.objects.push(this.object)},finalize:function(){this.object&&typeof this.object._finalize=="function"&&this.object._finalize(!0)},parseVertexIndex:function(t,e){let i=parseInt(t,10);return(i>=0?i-1:i+e/3)*3},parseNormalIndex:function(t,e){let i=parseInt(t,10);return(i>=0?i-1:i+e/3)*3},parseUVIndex:function(t,e){let i=parseInt(t,10);return(i>=0?i-1:i+e/2)*2},addVertex:function(t,e,i){let n=this.vertices,r=this.object.geometry.vertices;r.push(n[t+0],n[t+1],n[t+2]),r.push(n[e+0],n[e+1],n[e+2]),r.push(n[i+0],n[i+1],n[i+2])},addVertexPoint:function(t){let e=this.vertices;this.object.geometry.vertices.push(e[t+0],e[t+1],e[t+2])},addVertexLine:function(t){let e=this.vertices;this.object.geometry.vertices.push(e[t+0],e[t+1],e[t+2])},addNormal:function(t,e,i){let n=this.normals,r=this.object.geometry.normals;r.push(n[t+0],n[t+1],n[t+2]),r.push(n[e+0],n[e+1],n[e+2]),r.push(n[i+0],n[i+1],n[i+2])},addFaceNormal:function(t,e,i){let n=this.vertices,r=this.object.geometry.normals;k_.fromArray(n,t),ep.fromArray(n,e),B_.fromArray(n,i),Fn.subVectors(B_,ep),z_.subVectors(k_,ep),Fn.cross(z_),Fn.normalize(),r.push(Fn.x,Fn.y,Fn.z),r.push(Fn.x,Fn.y,Fn.z),r.push(Fn.x,Fn.y,Fn.z)},addColor:function(t,e,i){let n=this.colors,r=this.object.geometry.colors;n[t]!==void 0&&r.push(n[t+0],n[t+1],n[t+2]),n[e]!==void 0&&r.push(n[e+0],n[e+1],n[e+2]),n[i]!==void 0&&r.push(n[i+0],n[i+1],n[i+2])},addUV:function(t,e,i){let n=this.uvs,r=this.object.geometry.uvs;r.push(n[t+0],n[t+1]),r.push(n[e+0],n[e+1]),r.push(n[i+0],n[i+1])},addDefaultUV:function(){let t=this.object.geometry.uvs;t.push(0,0),t.push(0,0),t.push(0,0)},addUVLine:function(t){let e=this.uvs;this.object.geometry.uvs.push(e[t+0],e[t+1])},addFace:function(t,e,i,n,r,o,a,l,c){let h=this.vertices.length,u=this.parseVertexIndex(t,h),d=this.parseVertexIndex(e,h),f=this.parseVertexIndex(i,h);if(this.addVertex(u,d,f),this.addColor(u,d,f),a!==void 0&&a!==""){let m=this.normals.length;u=this.parseNormalIndex(a,m),d=this.parseNormalIndex(l,m),f=this.parseNormalIndex(c,m),this.addNormal(u,d,f)}else this.addFaceNormal(u,d,f);if(n!==void 0&&n!==""){let m=this.uvs.length;u=this.parseUVIndex(n,m),d=this.parseUVIndex(r,m),f=this.parseUVIndex(o,m),this.addUV(u,d,f),this.object.geometry.hasUVIndices=!0}else this.addDefaultUV()},addPointGeometry:function(t){this.object.geometry.type="Points";let e=this.vertices.length;for(let i=0,n=t.length;i<n;i++){let r=this.parseVertexIndex(t[i],e);this.addVertexPoint(r),this.addColor(r)}},addLineGeometry:function(t,e){this.object.geometry.type="Line";let i=this.vertices.length,n=this.uvs.length;for(let r=0,o=t.length-1;r<o;r++)this.addVertexLine(this.parseVertexIndex(t[r],i)),this.addVertexLine(this.parseVertexIndex(t[r+1],i));for(let r=0,o=e.length-1;r<o;r++)this.addUVLine(this.parseUVIndex(e[r],n)),this.addUVLine(this.parseUVIndex(e[r+1],n))}};return s.startObject("",!1),s}var fu=class extends Yi{constructor(t){super(t),this.materials=null}load(t,e,i,n){let r=this,o=new ds(this.manager);o.setPriority(this.priority),o.setCache(this.cache),o.setPath(this.path),o.setRequestHeader(this.requestHeader),o.setWithCredentials(this.withCredentials),o.load(t,function(a){try{e(r.parse(a))}catch(l){n?n(l):console.error(l),r.manager.itemError(t)}},i,n)}setMaterials(t){return this.materials=t,this}parse(t){let e=new nE;t.indexOf(`\r
`)!==-1&&(t=t.replace(/\r\n/g,`
`)),t.indexOf(`\\
`)!==-1&&(t=t.replace(/\\\n/g,""));let i=t.split(`
`),n=[];for(let a=0,l=i.length;a<l;a++){let c=i[a].trimStart();if(c.length===0)continue;let h=c.charAt(0);if(h!=="#")if(h==="v"){let u=c.split(uu);switch(u[0]){case"v":e.vertices.push(parseFloat(u[1]),parseFloat(u[2]),parseFloat(u[3])),u.length>=7?(du.setRGB(parseFloat(u[4]),parseFloat(u[5]),parseFloat(u[6]),Le),e.colors.push(du.r,du.g,du.b)):e.colors.push(void 0,void 0,void 0);break;case"vn":e.normals.push(parseFloat(u[1]),parseFloat(u[2]),parseFloat(u[3]));break;case"vt":e.uvs.push(parseFloat(u[1]),parseFloat(u[2]));break}}else if(h==="f"){let d=c.slice(1).trim().split(uu),f=[];for(let x=0,g=d.length;x<g;x++){let p=d[x];if(p.length>0){let _=p.split("/");f.push(_)}}let m=f[0];for(let x=1,g=f.length-1;x<g;x++){let p=f[x],_=f[x+1];e.addFace(m[0],p[0],_[0],m[1],p[1],_[1],m[2],p[2],_[2])}}else if(h==="l"){let u=c.substring(1).trim().split(uu),d=[],f=[];if(c.indexOf("/")===-1)d=u;else for(let m=0,x=u.length;m<x;m++){let g=u[m].split("/");g[0]!==""&&d.push(g[0]),g[1]!==""&&f.push(g[1])}e.addLineGeometry(d,f)}else if(h==="p"){let d=c.slice(1).trim().split(uu);e.addPointGeometry(d)}else if((n=QA.exec(c))!==null){let u=(" "+n[0].slice(1).trim()).slice(1);e.startObject(u)}else if(eE.test(c))e.object.startMaterial(c.substring(7).trim(),e.materialLibraries);else if(tE.test(c))e.materialLibraries.push(c.substring(7).trim());else if(iE.test(c))console.warn('THREE.OBJLoader: Rendering identifier "usemap" not supported. Textures must be defined in MTL files.');else if(h==="s"){if(n=c.split(" "),n.length>1){let d=n[1].trim().toLowerCase();e.object.smooth=d!=="0"&&d!=="off"}else e.object.smooth=!0;let u=e.object.currentMaterial();u&&(u.smooth=e.object.smooth)}else{if(c==="\0")continue;console.warn('THREE.OBJLoader: Unexpected line: "'+c+'"')}}e.finalize();let r=new Bi;if(r.materialLibraries=[].concat(e.materialLibraries),!(e.objects.length===1&&e.objects[0].geometry.vertices.length===0)===!0)for(let a=0,l=e.objects.length;a<l;a++){let c=e.objects[a],h=c.geometry,u=c.materials,d=h.type==="Line",f=h.type==="Points",m=!1;if(h.vertices.length===0)continue;let x=new ke;x.setAttribute("position",new re(h.vertices,3)),h.normals.length>0&&x.setAttribute("normal",new re(h.normals,3)),h.colors.length>0&&(m=!0,x.setAttribute("color",new re(h.colors,3))),h.hasUVIndices===!0&&x.setAttribute("uv",new re(h.uvs,2));let g=[];for(let _=0,w=u.length;_<w;_++){let v=u[_],A=v.name+"_"+v.smooth+"_"+m,S=e.materials[A];if(this.materials!==null){if(S=this.materials.create(v.name),d&&S&&!(S instanceof zi)){let y=new zi;on.prototype.copy.call(y,S),y.color.copy(S.color),S=y}else if(f&&S&&!(S instanceof $n)){let y=new $n({size:10,sizeAttenuation:!1});on.prototype.copy.call(y,S),y.color.copy(S.color),y.map=S.map,S=y}}S===void 0&&(d?S=new zi:f?S=new $n({size:1,sizeAttenuation:!1}):S=new In,S.name=v.name,S.flatShading=!v.smooth,S.vertexColors=m,e.materials[A]=S),g.push(S)}let p;if(g.length>1){for(let _=0,w=u.length;_<w;_++){let v=u[_];x.addGroup(v.groupStart,v.groupCount,_)}d?p=new wn(x,g):f?p=new Ds(x,g):p=new Ge(x,g)}else d?p=new wn(x,g[0]):f?p=new Ds(x,g[0]):p=new Ge(x,g[0]);p.name=c.name,r.add(p)}else if(e.vertices.length>0){let a=new $n({size:1,sizeAttenuation:!1}),l=new ke;l.setAttribute("position",new re(e.vertices,3)),e.colors.length>0&&e.colors[0]!==void 0&&(l.setAttribute("color",new re(e.colors,3)),a.vertexColors=!0);let c=new Ds(l,a);r.add(c)}return r}};var ia=class extends Yi{constructor(t){super(t)}load(t,e,i,n){let r=this,o=new ds(this.manager);o.setPriority(this.priority),o.setCache(this.cache),o.setPath(this.path),o.setResponseType("arraybuffer"),o.setRequestHeader(this.requestHeader),o.setWithCredentials(this.withCredentials),o.load(t,function(a){try{e(r.parse(a))}catch(l){n?n(l):console.error(l),r.manager.itemError(t)}},i,n)}parse(t){function e(c){let h=new DataView(c),u=32/8*3+32/8*3*3+16/8,d=h.getUint32(80,!0);if(80+32/8+d*u===h.byteLength)return!0;let m=[115,111,108,105,100];for(let x=0;x<5;x++)if(i(m,h,x))return!1;return!0}function i(c,h,u){for(let d=0,f=c.length;d<f;d++)if(c[d]!==h.getUint8(u+d))return!1;return!0}function n(c){let h=new DataView(c),u=h.getUint32(80,!0),d,f,m,x=!1,g,p,_,w,v;for(let R=0;R<=70;R++)h.getUint32(R,!1)==1129270351&&h.getUint8(R+4)==82&&h.getUint8(R+5)==61&&(x=!0,g=new Float32Array(u*3*3),p=h.getUint8(R+6)/255,_=h.getUint8(R+7)/255,w=h.getUint8(R+8)/255,v=h.getUint8(R+9)/255);let A=84,S=50,y=new ke,M=new Float32Array(u*3*3),I=new Float32Array(u*3*3),P=new qt;for(let R=0;R<u;R++){let U=A+R*S,O=h.getFloat32(U,!0),L=h.getFloat32(U+4,!0),H=h.getFloat32(U+8,!0);if(x){let k=h.getUint16(U+48,!0);(k&32768)===0?(d=(k&31)/31,f=(k>>5&31)/31,m=(k>>10&31)/31):(d=p,f=_,m=w)}for(let k=1;k<=3;k++){let G=U+k*12,it=R*3*3+(k-1)*3;M[it]=h.getFloat32(G,!0),M[it+1]=h.getFloat32(G+4,!0),M[it+2]=h.getFloat32(G+8,!0),I[it]=O,I[it+1]=L,I[it+2]=H,x&&(P.setRGB(d,f,m,Le),g[it]=P.r,g[it+1]=P.g,g[it+2]=P.b)}}return y.setAttribute("position",new Ui(M,3)),y.setAttribute("normal",new Ui(I,3)),x&&(y.setAttribute("color",new Ui(g,3)),y.hasColors=!0,y.alpha=v),y}function r(c){let h=new ke,u=/solid([\s\S]*?)endsolid/g,d=/facet([\s\S]*?)endfacet/g,f=/solid\s(.+)/,m=0,x=/[\s]+([+-]?(?:\d*)(?:\.\d*)?(?:[eE][+-]?\d+)?)/.source,g=new RegExp("vertex"+x+x+x,"g"),p=new RegExp("normal"+x+x+x,"g"),_=[],w=[],v=[],A=new V,S,y=0,M=0,I=0;for(;(S=u.exec(c))!==null;){M=I;let P=S[0],R=(S=f.exec(P))!==null?S[1]:"";for(v.push(R);(S=d.exec(P))!==null;){let L=0,H=0,k=S[0];for(;(S=p.exec(k))!==null;)A.x=parseFloat(S[1]),A.y=parseFloat(S[2]),A.z=parseFloat(S[3]),H++;for(;(S=g.exec(k))!==null;)_.push(parseFloat(S[1]),parseFloat(S[2]),parseFloat(S[3])),w.push(A.x,A.y,A.z),L++,I++;H!==1&&console.error("THREE.STLLoader: Something isn't right with the normal of face number "+m),L!==3&&console.error("THREE.STLLoader: Something isn't right with the vertices of face number "+m),m++}let U=M,O=I-M;h.userData.groupNames=v,h.addGroup(U,O,y),y++}return h.setAttribute("position",new re(_,3)),h.setAttribute("normal",new re(w,3)),h}function o(c){return typeof c!="string"?new TextDecoder().decode(c):c}function a(c){if(typeof c=="string"){let h=new Uint8Array(c.length);for(let u=0;u<c.length;u++)h[u]=c.charCodeAt(u)&255;return h.buffer||h}else return c}let l=a(t);return e(l)?n(l):r(o(t))}};var V_=new V,sE=new Xi,pu=new Jt,hr=new Jt,mu=new De,gu=new V(1,1,1),_u=new V,na=class extends Qe{constructor(...t){super(...t),this.urdfNode=null,this.urdfName=""}copy(t,e){return super.copy(t,e),this.urdfNode=t.urdfNode,this.urdfName=t.urdfName,this}},xu=class extends na{constructor(...t){super(...t),this.isURDFCollider=!0,this.type="URDFCollider"}},yu=class extends na{constructor(...t){super(...t),this.isURDFVisual=!0,this.type="URDFVisual"}},Ml=class extends na{constructor(...t){super(...t),this.isURDFLink=!0,this.type="URDFLink",this.name="",this.inertial={mass:0,origin:{xyz:[0,0,0],rpy:[0,0,0]},inertia:{ixx:0,ixy:0,ixz:0,iyy:0,iyz:0,izz:0}}}copy(t,e){return super.copy(t,e),this.inertial={mass:t.inertial.mass,origin:{xyz:[...t.inertial.origin.xyz],rpy:[...t.inertial.origin.rpy]},inertia:{...t.inertial.inertia}},this}},wl=class extends na{get jointType(){return this._jointType}set jointType(t){if(this.jointType!==t)switch(this._jointType=t,this.matrixWorldNeedsUpdate=!0,t){case"fixed":this.jointValue=[];break;case"continuous":case"revolute":case"prismatic":this.jointValue=new Array(1).fill(0);break;case"planar":this.jointValue=new Array(3).fill(0),this.axis=new V(0,0,1);break;case"floating":this.jointValue=new Array(6).fill(0);break}}get angle(){return this.jointValue[0]}constructor(...t){super(...t),this.isURDFJoint=!0,this.type="URDFJoint",this.name="",this.jointValue=null,this.jointType="fixed",this.axis=new V(1,0,0),this.limit={lower:0,upper:0,effort:0,velocity:0},this.ignoreLimits=!1,this.origPosition=null,this.origQuaternion=null,this.mimicJoints=[]}copy(t,e){return super.copy(t,e),this.jointType=t.jointType,this.axis=t.axis.clone(),this.limit.lower=t.limit.lower,this.limit.upper=t.limit.upper,this.limit.effort=t.limit.effort,this.limit.velocity=t.limit.velocity,this.ignoreLimits=!1,this.jointValue=[...t.jointValue],this.origPosition=t.origPosition?t.origPosition.clone():null,this.origQuaternion=t.origQuaternion?t.origQuaternion.clone():null,this.mimicJoints=[...t.mimicJoints],this}setJointValue(...t){t=t.map(i=>i===null?null:parseFloat(i)),(!this.origPosition||!this.origQuaternion)&&(this.origPosition=this.position.clone(),this.origQuaternion=this.quaternion.clone());let e=!1;switch(this.mimicJoints.forEach(i=>{e=i.updateFromMimickedJoint(...t)||e}),this.jointType){case"fixed":return e;case"continuous":case"revolute":{let i=t[0];return i==null||i===this.jointValue[0]?e:(!this.ignoreLimits&&this.jointType==="revolute"&&(i=Math.min(this.limit.upper,i),i=Math.max(this.limit.lower,i)),this.quaternion.setFromAxisAngle(this.axis,i).premultiply(this.origQuaternion),this.jointValue[0]!==i?(this.jointValue[0]=i,this.matrixWorldNeedsUpdate=!0,!0):e)}case"prismatic":{let i=t[0];return i==null||i===this.jointValue[0]?e:(this.ignoreLimits||(i=Math.min(this.limit.upper,i),i=Math.max(this.limit.lower,i)),this.position.copy(this.origPosition),V_.copy(this.axis).applyEuler(this.rotation),this.position.addScaledVector(V_,i),this.jointValue[0]!==i?(this.jointValue[0]=i,this.matrixWorldNeedsUpdate=!0,!0):e)}case"floating":return this.jointValue.every((i,n)=>t[n]===i||t[n]===null)?e:(this.jointValue[0]=t[0]!==null?t[0]:this.jointValue[0],this.jointValue[1]=t[1]!==null?t[1]:this.jointValue[1],this.jointValue[2]=t[2]!==null?t[2]:this.jointValue[2],this.jointValue[3]=t[3]!==null?t[3]:this.jointValue[3],this.jointValue[4]=t[4]!==null?t[4]:this.jointValue[4],this.jointValue[5]=t[5]!==null?t[5]:this.jointValue[5],hr.compose(this.origPosition,this.origQuaternion,gu),mu.setFromEuler(sE.set(this.jointValue[3],this.jointValue[4],this.jointValue[5],"XYZ")),_u.set(this.jointValue[0],this.jointValue[1],this.jointValue[2]),pu.compose(_u,mu,gu),hr.premultiply(pu),this.position.setFromMatrixPosition(hr),this.rotation.setFromRotationMatrix(hr),this.matrixWorldNeedsUpdate=!0,!0);case"planar":return this.jointValue.every((i,n)=>t[n]===i||t[n]===null)?e:(this.jointValue[0]=t[0]!==null?t[0]:this.jointValue[0],this.jointValue[1]=t[1]!==null?t[1]:this.jointValue[1],this.jointValue[2]=t[2]!==null?t[2]:this.jointValue[2],hr.compose(this.origPosition,this.origQuaternion,gu),mu.setFromAxisAngle(this.axis,this.jointValue[2]),_u.set(this.jointValue[0],this.jointValue[1],0),pu.compose(_u,mu,gu),hr.premultiply(pu),this.position.setFromMatrixPosition(hr),this.rotation.setFromRotationMatrix(hr),this.matrixWorldNeedsUpdate=!0,!0)}return e}},Tl=class extends wl{constructor(...t){super(...t),this.type="URDFMimicJoint",this.mimicJoint=null,this.offset=0,this.multiplier=1}updateFromMimickedJoint(...t){let e=t.map(i=>i===null?null:i*this.multiplier+this.offset);return super.setJointValue(...e)}copy(t,e){return super.copy(t,e),this.mimicJoint=t.mimicJoint,this.offset=t.offset,this.multiplier=t.multiplier,this}},vu=class extends Ml{constructor(...t){super(...t),this.isURDFRobot=!0,this.urdfNode=null,this.urdfRobotNode=null,this.robotName=null,this.links=null,this.joints=null,this.colliders=null,this.visual=null,this.frames=null}copy(t,e){super.copy(t,e),this.urdfRobotNode=t.urdfRobotNode,this.robotName=t.robotName,this.links={},this.joints={},this.colliders={},this.visual={},this.traverse(i=>{i.isURDFJoint&&i.urdfName in t.joints&&(this.joints[i.urdfName]=i),i.isURDFLink&&i.urdfName in t.links&&(this.links[i.urdfName]=i),i.isURDFCollider&&i.urdfName in t.colliders&&(this.colliders[i.urdfName]=i),i.isURDFVisual&&i.urdfName in t.visual&&(this.visual[i.urdfName]=i)});for(let i in this.joints)this.joints[i].mimicJoints=this.joints[i].mimicJoints.map(n=>this.joints[n.name]);return this.frames={...this.colliders,...this.visual,...this.links,...this.joints},this}getFrame(t){return this.frames[t]}setJointValue(t,...e){let i=this.joints[t];return i?i.setJointValue(...e):!1}setJointValues(t){let e=!1;for(let i in t){let n=t[i];Array.isArray(n)?e=this.setJointValue(i,...n)||e:e=this.setJointValue(i,n)||e}return e}};var ip=new De,G_=new Xi;function ur(s){return s?s.trim().split(/\s+/g).map(t=>parseFloat(t)):[0,0,0]}function H_(s,t,e=!1){e||s.rotation.set(0,0,0),G_.set(t[0],t[1],t[2],"ZYX"),ip.setFromEuler(G_),ip.multiply(s.quaternion),s.quaternion.copy(ip)}var np=class{constructor(t){this.manager=t||Qh,this.loadMeshCb=this.defaultMeshLoader.bind(this),this.parseVisual=!0,this.parseCollision=!1,this.packages="",this.workingPath="",this.fetchOptions={}}loadAsync(t){return new Promise((e,i)=>{this.load(t,e,null,i)})}load(t,e,i,n){let r=this.manager,o=Br.extractUrlBase(t),a=this.manager.resolveURL(t);r.itemStart(a),fetch(a,this.fetchOptions).then(l=>{if(l.ok)return i&&i(null),l.text();throw new Error(`URDFLoader: Failed to load url '${a}' with error code ${l.status} : ${l.statusText}.`)}).then(l=>{let c=this.parse(l,this.workingPath||o);e(c),r.itemEnd(a)}).catch(l=>{n?n(l):console.error("URDFLoader: Error loading file.",l),r.itemError(a),r.itemEnd(a)})}parse(t,e=this.workingPath){let i=this.packages,n=this.loadMeshCb,r=this.parseVisual,o=this.parseCollision,a=this.manager,l={},c={},h={};function u(_){if(!/^package:\/\//.test(_))return e?e+_:_;let[w,v]=_.replace(/^package:\/\//,"").split(/\/(.+)/);if(typeof i=="string")return i.endsWith(w)?i+"/"+v:i+"/"+w+"/"+v;if(typeof i=="function")return i(w)+"/"+v;if(typeof i=="object")return w in i?i[w]+"/"+v:(console.error(`URDFLoader : ${w} not found in provided package list.`),null)}function d(_){let w;_ instanceof Document?w=[..._.children]:_ instanceof Element?w=[_]:w=[...new DOMParser().parseFromString(_,"text/xml").children];let v=w.filter(A=>A.nodeName==="robot").pop();return f(v)}function f(_){let w=[..._.children],v=w.filter(R=>R.nodeName.toLowerCase()==="link"),A=w.filter(R=>R.nodeName.toLowerCase()==="joint"),S=w.filter(R=>R.nodeName.toLowerCase()==="material"),y=new vu;y.robotName=_.getAttribute("name"),y.urdfRobotNode=_,S.forEach(R=>{let U=R.getAttribute("name");h[U]=g(R)});let M={},I={};v.forEach(R=>{let U=R.getAttribute("name"),O=_.querySelector(`child[link="${U}"]`)===null;l[U]=x(R,M,I,O?y:null)}),A.forEach(R=>{let U=R.getAttribute("name");c[U]=m(R)}),y.joints=c,y.links=l,y.colliders=I,y.visual=M;let P=Object.values(c);return P.forEach(R=>{R instanceof Tl&&c[R.mimicJoint].mimicJoints.push(R)}),P.forEach(R=>{let U=new Set,O=L=>{if(U.has(L))throw new Error("URDFLoader: Detected an infinite loop of mimic joints.");U.add(L),L.mimicJoints.forEach(H=>{O(H)})};O(R)}),y.frames={...I,...M,...l,...c},y}function m(_){let w=[..._.children],v=_.getAttribute("type"),A,S=w.find(U=>U.nodeName.toLowerCase()==="mimic");S?(A=new Tl,A.mimicJoint=S.getAttribute("joint"),A.multiplier=parseFloat(S.getAttribute("multiplier")||1),A.offset=parseFloat(S.getAttribute("offset")||0)):A=new wl,A.urdfNode=_,A.name=_.getAttribute("name"),A.urdfName=A.name,A.jointType=v;let y=null,M=null,I=[0,0,0],P=[0,0,0];w.forEach(U=>{let O=U.nodeName.toLowerCase();O==="origin"?(I=ur(U.getAttribute("xyz")),P=ur(U.getAttribute("rpy"))):O==="child"?M=l[U.getAttribute("link")]:O==="parent"?y=l[U.getAttribute("link")]:O==="limit"&&(A.limit.lower=parseFloat(U.getAttribute("lower")||A.limit.lower),A.limit.upper=parseFloat(U.getAttribute("upper")||A.limit.upper),A.limit.effort=parseFloat(U.getAttribute("effort")||A.limit.effort),A.limit.velocity=parseFloat(U.getAttribute("velocity")||A.limit.velocity))}),y.add(A),A.add(M),H_(A,P),A.position.set(I[0],I[1],I[2]);let R=w.filter(U=>U.nodeName.toLowerCase()==="axis")[0];if(R){let U=R.getAttribute("xyz").split(/\s+/g).map(O=>parseFloat(O));A.axis=new V(U[0],U[1],U[2]),A.axis.normalize()}return A}function x(_,w,v,A=null){A===null&&(A=new Ml);let S=[..._.children];A.name=_.getAttribute("name"),A.urdfName=A.name,A.urdfNode=_;let y=S.find(M=>M.nodeName.toLowerCase()==="inertial");return y&&[...y.children].forEach(M=>{let I=M.nodeName.toLowerCase();I==="origin"?(A.inertial.origin.xyz=ur(M.getAttribute("xyz")),A.inertial.origin.rpy=ur(M.getAttribute("rpy"))):I==="mass"?A.inertial.mass=parseFloat(M.getAttribute("value"))||0:I==="inertia"&&(A.inertial.inertia.ixx=parseFloat(M.getAttribute("ixx"))||0,A.inertial.inertia.ixy=parseFloat(M.getAttribute("ixy"))||0,A.inertial.inertia.ixz=parseFloat(M.getAttribute("ixz"))||0,A.inertial.inertia.iyy=parseFloat(M.getAttribute("iyy"))||0,A.inertial.inertia.iyz=parseFloat(M.getAttribute("iyz"))||0,A.inertial.inertia.izz=parseFloat(M.getAttribute("izz"))||0)}),r&&S.filter(I=>I.nodeName.toLowerCase()==="visual").forEach(I=>{let P=p(I,h);if(A.add(P),I.hasAttribute("name")){let R=I.getAttribute("name");P.name=R,P.urdfName=R,w[R]=P}}),o&&S.filter(I=>I.nodeName.toLowerCase()==="collision").forEach(I=>{let P=p(I);if(A.add(P),I.hasAttribute("name")){let R=I.getAttribute("name");P.name=R,P.urdfName=R,v[R]=P}}),A}function g(_){let w=[..._.children],v=new In;return v.name=_.getAttribute("name")||"",w.forEach(A=>{let S=A.nodeName.toLowerCase();if(S==="color"){let y=A.getAttribute("rgba").split(/\s/g).map(M=>parseFloat(M));v.color.setRGB(y[0],y[1],y[2]),v.opacity=y[3],v.transparent=y[3]<1,v.depthWrite=!v.transparent}else if(S==="texture"){let y=A.getAttribute("filename");if(y){let M=new Fr(a),I=u(y);v.map=M.load(I),v.map.colorSpace=Le}}}),v}function p(_,w={}){let v=_.nodeName.toLowerCase()==="collision",A=[..._.children],S=null,y=A.filter(I=>I.nodeName.toLowerCase()==="material")[0];if(y){let I=y.getAttribute("name");I&&I in w?S=w[I]:S=g(y)}else S=new In;let M=v?new xu:new yu;return M.urdfNode=_,A.forEach(I=>{let P=I.nodeName.toLowerCase();if(P==="geometry"){let R=I.children[0].nodeName.toLowerCase();if(R==="mesh"){let U=I.children[0].getAttribute("filename"),O=u(U);if(O!==null){let L=I.children[0].getAttribute("scale");if(L){let H=ur(L);M.scale.set(H[0],H[1],H[2])}n(O,a,S,(H,k)=>{k?console.error("URDFLoader: Error loading mesh.",k):H&&(H.position.set(0,0,0),H.quaternion.identity(),M.add(H))})}}else if(R==="box"){let U=new Ge;U.geometry=new er(1,1,1),U.material=S;let O=ur(I.children[0].getAttribute("size"));U.scale.set(O[0],O[1],O[2]),M.add(U)}else if(R==="sphere"){let U=new Ge;U.geometry=new ir(1,30,30),U.material=S;let O=parseFloat(I.children[0].getAttribute("radius"))||0;U.scale.set(O,O,O),M.add(U)}else if(R==="cylinder"){let U=new Ge;U.geometry=new Bo(1,1,1,30),U.material=S;let O=parseFloat(I.children[0].getAttribute("radius"))||0,L=parseFloat(I.children[0].getAttribute("length"))||0;U.scale.set(O,L,O),U.rotation.set(Math.PI/2,0,0),M.add(U)}}else if(P==="origin"){let R=ur(I.getAttribute("xyz")),U=ur(I.getAttribute("rpy"));M.position.set(R[0],R[1],R[2]),M.rotation.set(0,0,0),H_(M,U)}}),M}return d(t)}defaultMeshLoader(t,e,i,n){/\.stl$/i.test(t)?new ia(e).load(t,o=>{let a=new Ge(o,i||new In);n(a)},null,o=>n(null,o)):/\.dae$/i.test(t)?new ea(e).load(t,o=>n(o.scene),null,o=>n(null,o)):console.warn(`URDFLoader: Could not load model at ${t}.
No loader available`)}},W_=np;var rE="data:,";function Y_(s,t){let e=/^package:\/\/([^/]+)\/(.+)$/.exec(s);if(!e||!t.includes(e[1]))return null;let i=e[2].split("/").map(encodeURIComponent).join("/");return`/mesh/${encodeURIComponent(e[1])}/${i}`}function j_(s,t,e){let i=new Wo;i.setURLModifier(h=>h.startsWith("/mesh/")?h:Y_(h,t)??rE);let n=new W_(i),r={wanted:0,loaded:0,missing:0};n.packages=h=>`package://${h}`,n.loadMeshCb=(h,u,d,f)=>{r.wanted++,cE(h,t,i,d).then(m=>{r.loaded++,f(m),e()},()=>{r.missing++,f(null),e()})};let{root:o,links:a,joints:l}=oE(s);aE(o);let c=n.parse(o);return c.meshes=r,c.capsules=lE(c),c.links=q_(c.links,a),c.joints=q_(c.joints,l),c}function oE(s){let e=new DOMParser().parseFromString(s,"text/xml").documentElement;if(e.nodeName!=="robot")throw new Error("it is no URDF");let i=X_(e,"link","link"),n=X_(e,"joint","joint"),r=(a,l,c)=>{for(let h of e.querySelectorAll(a))h.setAttribute(l,c.get(h.getAttribute(l))??"")};r("joint > parent, joint > child","link",i),r("joint > mimic","joint",n);let o=a=>new Map([...a].map(([l,c])=>[c,l]));return{root:e,links:o(i),joints:o(n)}}function aE(s){for(let t of s.querySelectorAll("origin[quat_xyzw]")){let e=t.getAttribute("quat_xyzw").trim().split(/\s+/).map(Number),i=new De(...e).normalize(),{x:n,y:r,z:o}=new Xi().setFromQuaternion(i,"ZYX");t.setAttribute("rpy",`${n} ${r} ${o}`)}for(let t of s.querySelectorAll("geometry > capsule")){let e=s.ownerDocument.createElement("cylinder");for(let i of["radius","length"])e.setAttribute(i,t.getAttribute(i));e.setAttribute("capsule",""),t.replaceWith(e)}}function lE(s){let t=0;return s.traverse(e=>{let i=e.isURDFVisual&&e.urdfNode.querySelector("cylinder[capsule]"),n=i&&e.children.find(o=>o.isMesh);if(!n)return;let r=o=>Number(i.getAttribute(o));n.geometry.dispose(),n.geometry=new ja(r("radius"),r("length"),8,30),n.scale.set(1,1,1),t++}),t}function X_(s,t,e){let i=[...s.children].filter(r=>r.nodeName===t),n=new Map;return i.forEach((r,o)=>{n.set(r.getAttribute("name"),`${e}${o}`),r.setAttribute("name",`${e}${o}`)}),n}function q_(s,t){let e=Object.create(null);for(let[i,n]of Object.entries(s))e[t.get(i)]=n;return e}async function cE(s,t,e,i){let n=Y_(s,t),r=/\.(stl|dae|obj)$/i.exec(s)?.[1].toLowerCase();if(!n||!r)throw new Error("no such mesh");if(r==="stl")return new Ge(await new ia(e).loadAsync(n),i);if(r==="dae")return(await new ea(e).loadAsync(n)).scene;let o=await new fu(e).loadAsync(n);return o.traverse(a=>{a.isMesh&&(a.material=i)}),o}function sp(s){Object.values(s.links).forEach((t,e)=>hE(t,e))}function hE(s,t){let e=new Map,i=s.children.filter(n=>n.isURDFVisual);for(let n of i)n.traverse(r=>{if(!r.isMesh||!r.material?.isMeshPhongMaterial||r.userData.painted)return;let o=r.material;if(!e.has(o)){let a=new Ur({color:o.color.clone().convertSRGBToLinear(),map:o.map,opacity:o.opacity,transparent:o.transparent,polygonOffset:!0,polygonOffsetFactor:.3*(t%3),polygonOffsetUnits:150*(t%3)});e.set(o,a)}r.material=e.get(o),r.userData.painted=!0})}var $_=.12,bu=class{constructor(t,e){this.box=t,this.changed=e,this.robot=null,this.drawn=0,this.skeletonWanted=null,this.scene=new Ir,this.scene.up.set(0,0,1),this.camera=new yi(40,1,.01,200),this.camera.up.set(0,0,1),this.world=new Bi,this.scene.add(this.world),this.#e(),this.#i(),this.#t(),this.width=0,new ResizeObserver(([i])=>this.#h(i.contentRect)).observe(t),this.recolour(),this.fit()}#t(){try{this.lean=uE(),this.renderer=new nu({antialias:!this.lean,powerPreference:"low-power"})}catch{this.renderer=null,this.failure="This browser has no WebGL: the robot cannot be drawn.";return}this.renderer.setPixelRatio(this.lean?1:Math.min(window.devicePixelRatio,2));let{domElement:t}=this.renderer;t.tabIndex=0,t.setAttribute("role","img"),t.setAttribute("aria-label","The robot in 3D. Arrow keys turn the view, plus and minus zoom, R shows it whole."),t.addEventListener("keydown",e=>this.#c(e)),this.box.prepend(t),this.controls=new au(this.camera,t),this.controls.addEventListener("change",()=>this.changed()),this.controls.maxDistance=60,this.controls.minDistance=.05}#e(){let t=new rr(16777215,1.7);t.position.set(2,-3,5);let e=new rr(16777215,.6);e.position.set(-4,2,1),this.scene.add(new el(16777215,9279918,1.2),new kr(16777215,.25),t,e)}#i(){let t={depthTest:!1,transparent:!0};this.skeleton=new wn(new ke,new zi(t)),this.knots=new Ds(new ke,new $n({size:7,sizeAttenuation:!1,...t})),this.frameAxes=new jo(1),this.frameAxes.material.depthTest=!1,this.worldAxes=new jo(.15),this.com=new Ge(new ir(1,16,12),new jn({...t,opacity:.85})),this.force=new ol(new V(0,0,1),new V,1,16711680),this.ellipsoid=new Bi,this.shell=new Ge(new ir(1,32,20),new jn({transparent:!0,opacity:.28,depthWrite:!1})),this.rings=new wn(dE(),new zi({transparent:!0,opacity:.8})),this.ellipsoid.add(this.shell,this.rings),this.ellipsoid.matrixAutoUpdate=!1;let e=[this.skeleton,this.knots,this.frameAxes,this.com,this.ellipsoid];e.forEach((i,n)=>{i.renderOrder=10+n,i.frustumCulled=!1}),this.scene.add(...e,this.worldAxes,this.force);for(let i of[...e,this.force])i.visible=!1}load(t,e){this.clear();try{this.robot=j_(t,e,()=>this.#r())}catch(i){return`The robot description could not be drawn: ${i.message}`}return this.robot.matrixAutoUpdate=!0,this.joints=Object.values(this.robot.joints),sp(this.robot),this.world.add(this.robot),this.#s(),this.fit(),this.posed=!1,null}#r(){this.robot&&(sp(this.robot),this.fit())}clear(){this.world.clear(),this.robot=null,this.joints=[];for(let t of[this.skeleton,this.knots,this.frameAxes,this.com,this.ellipsoid,this.force])t.visible=!1;this.followed=null,this.changed()}get linkCount(){return this.robot?Object.keys(this.robot.links).length:0}get bare(){if(!this.robot)return!1;let t=0;return this.robot.traverse(e=>t+=e.isMesh?1:0),t===0||this.robot.meshes.missing>0}pose(t,e){if(this.robot){for(let[i,n]of t)Number.isFinite(n)&&this.robot.joints[i]?.setJointValue(n);e&&(this.robot.position.set(e[0],e[1],e[2]),this.robot.quaternion.set(e[3],e[4],e[5],e[6]).normalize(),this.#n()),this.robot.updateMatrixWorld(!0),this.posed||this.fit(),this.posed=!0}}#n(){let t=this.robot.position;if(this.followed&&this.controls){let e=t.clone().sub(this.followed);this.camera.position.add(e),this.controls.target.add(e)}this.followed=t.clone()}linkPosition(t){let e=this.robot?.links[t];return e?new V().setFromMatrixPosition(e.matrixWorld).toArray():null}#s(){let t=this.joints.length;this.skeleton.geometry.setAttribute("position",new Ui(new Float32Array(6*t),3)),this.knots.geometry.setAttribute("position",new Ui(new Float32Array(3*t),3))}#o(){let t=this.robot!==null&&(this.skeletonWanted??this.bare);if(this.skeleton.visible=t,this.knots.visible=t,!t)return;let e=this.skeleton.geometry.attributes.position,i=this.knots.geometry.attributes.position,n=new V;this.joints.forEach((r,o)=>{n.setFromMatrixPosition(r.parent.matrixWorld).toArray(e.array,6*o),n.setFromMatrixPosition(r.matrixWorld).toArray(e.array,6*o+3),n.toArray(i.array,3*o)}),e.needsUpdate=!0,i.needsUpdate=!0}get skeletonShown(){return this.skeleton.visible}showFrame(t){let e=this.robot?.links[t];this.frameAxes.visible=!!e,e&&(e.matrixWorld.decompose(this.frameAxes.position,this.frameAxes.quaternion,new V),this.frameAxes.scale.setScalar(.14*this.extent))}showCom(t){this.com.visible=!!t&&t.every(Number.isFinite),this.com.visible&&(this.com.position.fromArray(t),this.com.scale.setScalar(.018*this.extent))}showForce(t,e,i){let n=this.robot?.links[t],r=e?Math.hypot(...e):0;if(this.force.visible=!!n&&r>.02*i,!this.force.visible)return;let o=new V,a=new De;n.matrixWorld.decompose(o,a,new V),this.force.position.copy(o),this.force.setDirection(new V().fromArray(e).normalize().applyQuaternion(a));let l=Math.min(Math.max(r/i,.05),1)*this.extent;this.force.setLength(l,.25*l,.12*l)}showEllipsoid(t,e){let i=this.robot?.links[e];if(this.ellipsoid.visible=!!(t&&i),!this.ellipsoid.visible)return;let n=t.lengths.filter(Number.isFinite),r=.3*this.extent/Math.max(...n,1e-9),o=t.lengths.map(u=>Math.min(Math.max(u*r,.002*this.extent),.6*this.extent)),a=t.vectors.map((u,d)=>new V().fromArray(u).multiplyScalar(o[d])),l=new Jt().makeBasis(...a),c=new V,h=new De;i.matrixWorld.decompose(c,h,new V),t.local&&l.premultiply(new Jt().makeRotationFromQuaternion(h)),l.setPosition(c),this.ellipsoid.matrix.copy(l),this.ellipsoid.matrixWorldNeedsUpdate=!0}fit(){let t=new Yn;if(this.robot){this.robot.updateMatrixWorld(!0),t.setFromObject(this.robot);for(let n of Object.values(this.robot.links))t.expandByPoint(new V().setFromMatrixPosition(n.matrixWorld))}t.isEmpty()?t.set(new V(-.5,-.5,0),new V(.5,.5,1)):t.expandByScalar(.1*this.#l());let e=t.getCenter(new V);this.extent=Math.max(t.getSize(new V).length()/1.6,.05);let i=this.extent*1.9*Math.max(1,.9/this.camera.aspect);this.camera.near=this.extent/100,this.camera.far=this.extent*100,this.camera.position.copy(e).add(new V(.78,-.52,.34).normalize().multiplyScalar(i)),this.camera.updateProjectionMatrix(),this.worldAxes.scale.setScalar(this.extent),this.#a(),this.controls&&(this.controls.target.copy(e),this.controls.update()),this.changed()}#l(){let t=0;for(let e of this.joints){let i=0;for(let n=e;n&&n!==this.robot;n=n.parent)i+=n.position.length();t=Math.max(t,i)}return t}#a(){this.grid&&(this.grid.geometry.dispose(),this.scene.remove(this.grid));let t=10**Math.round(Math.log10(this.extent/5)),{line:e}=We();this.grid=new rl(t*40,40,new qt(e),new qt(e)),this.grid.rotation.x=Math.PI/2,this.grid.material.transparent=!0,this.grid.material.opacity=.55,this.scene.add(this.grid)}#c(t){let i={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]}[t.key];if(!(t.ctrlKey||t.metaKey||t.altKey)){if(i)this.orbit($_*i[0],$_*i[1]);else if(t.key==="+"||t.key==="=")this.dolly(.9);else if(t.key==="-")this.dolly(1/.9);else return;t.preventDefault(),t.stopPropagation()}}orbit(t,e){let i=this.camera.position.clone().sub(this.controls.target),n=i.length(),r=Math.atan2(i.y,i.x)+t,o=Math.min(Math.max(Math.acos(i.z/n)+e,.05),Math.PI-.05);i.set(Math.sin(o)*Math.cos(r),Math.sin(o)*Math.sin(r),Math.cos(o)),this.camera.position.copy(this.controls.target).add(i.multiplyScalar(n)),this.controls.update(),this.changed()}dolly(t){this.camera.position.sub(this.controls.target).multiplyScalar(t).add(this.controls.target),this.controls.update(),this.changed()}recolour(){let t=We();this.scene.background=new qt(t.page),this.skeleton.material.color.set(t.accent),this.knots.material.color.set(t.text),this.com.material.color.set(t.warn),this.force.setColor(new qt(t.bad)),this.shell.material.color.set(t.accent),this.rings.material.color.set(t.accent),this.grid&&this.#a(),this.changed()}#h({width:t,height:e}){this.width=t,!(!this.renderer||t===0||e===0)&&(this.renderer.setSize(t,e),this.camera.aspect=t/e,this.camera.updateProjectionMatrix(),this.changed())}draw(){!this.renderer||this.width===0||(this.#o(),this.renderer.render(this.scene,this.camera),this.drawn++)}get canvas(){return this.renderer?.domElement??null}};function uE(){let s=document.createElement("canvas").getContext("webgl2"),t=s?.getExtension("WEBGL_debug_renderer_info"),e=t?s.getParameter(t.UNMASKED_RENDERER_WEBGL):"";return s?.getExtension("WEBGL_lose_context")?.loseContext(),/swiftshader|llvmpipe|software|basic render/i.test(e)}function dE(){let s=[];for(let e=0;e<3;e++)for(let i=0;i<48;i++)for(let n of[i,i+1]){let r=2*Math.PI*n/48,o=[0,0,0];o[(e+1)%3]=Math.cos(r),o[(e+2)%3]=Math.sin(r),s.push(...o)}return new ke().setAttribute("position",new Ui(new Float32Array(s),3))}var dr=[2,5,10,30,60,120,300],J_=.2,Su=class{constructor(t){this.changed=t,this.live=!0,this.span=10,this.head=NaN,this.end=NaN,this.now=NaN,this.hover=null,this.remote=null}get playing(){return this.live&&(this.remote===null||this.remote.playing)}follow(t,e){this.first=t,this.last=e,this.live?(this.head=e,this.end=e,this.now=e):this.head>=t||this.seek(t)}get reading(){return this.hover??this.head}get start(){return this.end-this.span}pause(){this.remote?this.remote.pause():this.hold()}hold(){!this.live||!Number.isFinite(this.head)||(this.remote?.playing&&this.remote.pause(),this.live=!1,this.changed())}resume(){this.remote?.play(this.live?null:this.head),this.goLive()}goLive(){this.live||(this.live=!0,this.hover=null,this.follow(this.first,this.last),this.changed())}toggle(){this.playing?this.pause():this.resume()}seek(t){!Number.isFinite(t)||!Number.isFinite(this.first)||(this.hold(),this.head=Math.min(Math.max(t,this.first),this.last),this.head>this.end&&(this.end=this.head),this.head<this.start&&(this.end=this.head+this.span),this.changed())}step(t){this.remote?this.remote.step(t):this.seek(this.head+t)}toFirst(){this.remote?this.remote.seek(-1/0):this.seek(this.first)}toLast(){this.remote?this.remote.seek(1/0):this.resume()}window(t,e){this.hold(),this.span=Math.max(e-t,J_),this.end=t+this.span,this.head=Math.min(Math.max(this.head,t),this.end),this.changed()}setSpan(t,e=this.head){let i=Math.min(Math.max(t,J_),dr[dr.length-1]);this.live||(this.end=e+(this.end-e)*(i/this.span)),this.span=i,this.changed()}zoom(t){let e=dr.find(n=>n>this.span*1.001)??this.span,i=dr.findLast(n=>n<this.span*.999)??this.span/2;this.setSpan(t>0?e:i)}};var fE=s=>s<60?`${ei(s,s%1?1:0)} s`:`${ei(s/60,s/60%1?1:0)} min`,Mu=class{constructor(t){this.app=t;let{timeline:e}=t;this.range=Vt("scrub"),this.canvas=Vt("overview"),this.span=Vt("span"),this.range.addEventListener("input",()=>{let i=Number(this.range.value);e.remote?e.remote.seek(t.recording.state.start+i):e.seek(e.last+i)}),Vt("pause").addEventListener("click",()=>e.toggle()),Vt("live").addEventListener("click",()=>e.resume()),this.span.addEventListener("change",()=>e.setSpan(Number(this.span.value))),new ResizeObserver(([i])=>this.#r(i.contentRect)).observe(this.canvas)}draw(){let{timeline:t}=this.app,e=Vt("pause");e.setAttribute("aria-pressed",String(!t.playing)),Wt(Vt("pause-text"),t.playing?"Pause":t.remote?"Play":"Go on"),e.dataset.icon=t.playing?"pause":"play",Wt(Vt("head"),Fl(t.reading)),t.remote?this.#t():this.#e(),this.#i(),this.#n()}#t(){let{state:t,position:e}=this.app.recording,i=Math.max(t.end-t.start,.001),n=e-t.start,r=`${ei(n,1)} of ${ei(i,1)} s`;this.range.min="0",this.range.max=String(i),this.range.value=String(n),this.range.setAttribute("aria-valuetext",r),Wt(Vt("behind"),r)}#e(){let{timeline:t}=this.app,e=Math.max(t.last-t.first,0)||0,i=t.head-t.last||0;this.range.max="0",this.range.min=String(-Math.max(e,1)),this.range.value=String(i),this.range.setAttribute("aria-valuetext",t.live?"live":`${ei(-i,1)} seconds ago`),Vt("live").disabled=t.live,Wt(Vt("behind"),t.hover===null&&t.live?"live":`${ei(t.reading-t.now,1)} s`)}#i(){let{span:t}=this.app.timeline,e=dr.includes(t)?dr:[...dr,t].sort((i,n)=>i-n);gr(this.span,e.map(String),e.map(fE)),document.activeElement!==this.span&&(this.span.value=String(t))}#r({width:t,height:e}){let i=window.devicePixelRatio;this.width=t,this.height=e,this.canvas.width=Math.round(t*i),this.canvas.height=Math.round(e*i),this.ctx=this.canvas.getContext("2d"),this.ctx.scale(i,i),this.app.touch()}#n(){let{store:t,timeline:e}=this.app,{width:i,height:n,ctx:r}=this;if(!i)return;r.clearRect(0,0,i,n);let{history:o}=t;if(!o||o.length<2)return;let{recording:a}=this.app,l=e.remote?h=>a.share(h)*i:h=>(h-e.first)/(e.last-e.first)*i,c=We();r.fillStyle=c.line,r.fillRect(l(Math.max(e.start,e.first)),0,l(e.end)-l(Math.max(e.start,e.first)),n),this.#s(r,o,o.data[t.scalar("kinetic_energy")],l,n),!e.live&&(r.fillStyle=c.accent,r.fillRect(l(e.head)-1,0,2,n))}#s(t,e,i,n,r){let o=new Float32Array(Math.max(1,Math.floor(this.width/2))),a=o.length-1e-6;for(let c=0;c<e.length;c++){let h=Math.floor(n(e.times[c])/this.width*a);i[c]>o[h]&&(o[h]=i[c])}let l=Math.max(...o,1e-9);t.fillStyle=We().soft,t.globalAlpha=.55,o.forEach((c,h)=>{let u=c/l*(r-4);t.fillRect(h*2,r-u,1.5,u)}),t.globalAlpha=1}};var wu=class{constructor(t){this.app=t,this.robots=Vt("robots"),this.robots.addEventListener("change",()=>t.chooseRobot(this.robots.value)),this.news=Vt("news"),this.lost=!1,Vt("retry").addEventListener("click",()=>t.connection.retryNow())}connection(){let{connection:t}=this.app,e=Vt("banner");if(t.state==="open"){this.lost&&this.say("Connected again."),this.lost=!1,e.hidden=!0;return}(t.opened>0||t.attempt>1)&&(this.lost=!0);let i=Math.max(0,Math.ceil((t.retryAt-performance.now())/1e3)),n=t.opened>0?"Connection lost.":"No connection to mbdyn view.",r=t.state==="waiting"?`Trying again in ${i} s`:"Trying again";Wt(Vt("banner-text"),`${n} ${r} (attempt ${t.attempt+(t.state==="waiting"?1:0)}).`),e.hidden=!this.lost}say(t){Wt(this.news,t),this.news.hidden=!1,clearTimeout(this.timer),this.timer=setTimeout(()=>this.news.hidden=!0,4e3)}listRobots(){let{store:t}=this.app,e=t.robots.map(i=>i.id);gr(this.robots,e,t.robots.map(i=>pE(i,t.playback))),t.model&&(this.robots.value=t.model.robot),this.robots.disabled=e.length<2,Vt("no-robot").hidden=e.length>0}draw(){let{store:t,timeline:e,connection:i,frames:n}=this.app,r=t.robots.find(d=>d.id===t.model?.robot),[o,a]=mE(i,r,e),l=Vt("state");l.dataset.state=o,Wt(Vt("state-text"),a),Wt(Vt("mode"),(r?.mode??"").replaceAll("_"," ")),Wt(Vt("lifecycle"),r?.state??"");let c=t.history?t.history.rowAt(e.reading):-1,u=t.message("status")?.topics?.find(d=>d.topic.endsWith("joint_states"));Wt(Vt("rate"),Ul(u?.hz??NaN)),Wt(Vt("age"),c<0?"\u2013":fa(t.history.value(t.scalar("input_age"),c,15))),Wt(Vt("compute"),c<0?"\u2013":fa(t.history.value(t.scalar("compute_time"),c,15))),Wt(Vt("fps"),`${Math.round(n.perSecond)} fps`)}};function pE(s,t){let e=s.name?`${s.name} (${s.node})`:s.node;return s.recorded?`${e} in ${t?.name??"a recording"}`:e}function mE(s,t,e){return s.state!=="open"?["lost","Reconnecting"]:t?t.recorded?e.playing?["live","Playing"]:["paused","Recording"]:e.live?t.alive?["live","Live"]:["waiting","Robot is silent"]:["paused","Paused"]:["waiting","No robot yet"]}var Tu=class{constructor(t){this.app=t,this.panel=t.panels[0],this.buttons=t.panels.map((e,i)=>dt("button",{type:"button",role:"tab",id:`tab-${e.id}`,"aria-controls":`panel-${e.id}`,onclick:()=>this.open(e.id),onkeydown:n=>this.#e(n,i)},e.title)),this.boxes=t.panels.map(e=>dt("div",{role:"tabpanel",id:`panel-${e.id}`,"aria-labelledby":`tab-${e.id}`,class:"panel"},e.root)),Vt("tabs").append(...this.buttons),Vt("panels").append(...this.boxes),this.open(this.panel.id)}open(t){this.app.panels.forEach((e,i)=>{let n=e.id===t;n&&(this.panel=e),this.buttons[i].setAttribute("aria-selected",String(n)),this.buttons[i].tabIndex=n?0:-1,this.boxes[i].hidden=!n}),this.#t(this.buttons[this.app.panels.indexOf(this.panel)]),this.app.touch()}mark(t){this.app.panels.forEach((e,i)=>this.buttons[i].toggleAttribute("data-computed",t.includes(e.id)))}#t(t){let e=t.parentElement,i=t.offsetLeft+t.offsetWidth-e.offsetLeft;i>e.scrollLeft+e.clientWidth?e.scrollLeft=i-e.clientWidth:e.scrollLeft=Math.min(e.scrollLeft,t.offsetLeft-e.offsetLeft)}#e(t,e){let i=this.buttons.length,n={ArrowRight:(e+1)%i,ArrowLeft:(e+i-1)%i,Home:0,End:i-1}[t.key];n!==void 0&&(t.preventDefault(),t.stopPropagation(),this.open(this.app.panels[n].id),this.buttons[n].focus())}};var Au=class{constructor(){this.count=0,this.perSecond=0,this.longest=0,this.since=0,this.from=0,this.last=0,this.worst=0}tick(t){this.count++,this.last&&(this.worst=Math.max(this.worst,t-this.last)),this.last=t,!(t-this.from<1e3)&&(this.perSecond=(this.count-this.since)*1e3/(t-this.from),this.longest=this.worst,this.since=this.count,this.from=t,this.worst=0)}};var gE=30,_E={usual:0,lean:60},xE={usual:100,lean:200},rp=class{constructor(){this.toggleTheme=zu,this.due=new Set,this.saved={csv:0,png:0,lastCsvRows:0},this.frames=new Au,this.store=new Dl,this.timeline=new Su(()=>this.touch()),this.choice=new Pl(()=>this.rebuild()),this.view=new bu(Vt("view"),()=>this.touch()),this.view.failure&&this.viewMessage(this.view.failure),this.panels=[hc,uc,lc,sc,nc,cc].map(t=>new t(this)),this.framePanel=this.panels[2],this.table=new Bl(this),this.scrubber=new Mu(this),this.tabs=new Tu(this),this.bar=new wu(this),this.recording=new dc(this),this.connection=new Il({state:t=>this.connectionChanged(t),message:t=>this.take(t)}),Gp(this),this.#t(),Fp(()=>this.#e()),setInterval(()=>this.bar.connection(),500),this.#l()}#t(){Vt("csv").addEventListener("click",()=>this.saveCsv()),Vt("png").addEventListener("click",()=>this.savePng()),Vt("theme").addEventListener("click",()=>zu()),Vt("fit").addEventListener("click",()=>this.view.fit()),Vt("skeleton").addEventListener("click",()=>this.toggleSkeleton()),Vt("limits").addEventListener("click",()=>this.toggleLimits()),Vt("ellipsoid-button").addEventListener("click",()=>this.nextEllipsoid())}#e(){this.view.recolour(),this.rebuild(),this.table.rebuild()}connectionChanged(t){this.connection??=t,t.subscription||(t.subscription=this.#i(null)),this.bar.connection(),this.touch()}#i(t){return{robot:t,rate:gE,history:this.store.seconds}}chooseRobot(t){this.store.forget(),this.timeline.remote=null,this.timeline.goLive(),this.connection.subscribe(this.#i(t)),this.touch()}take(t){let e=this.store.model,i=this.store.take(t);i!==null&&(this.touch(),i==="model"?this.#s(e):i==="robots"?this.#n():i==="reset"?this.timeline.goLive():i==="error"&&this.#r(t),["model","robots","playback"].includes(i)&&this.recording.changed())}#r(t){this.unknownRobot=t.code==="unknown_robot",this.unknownRobot||this.bar.say(`The server refused: ${t.message}`)}#n(){this.bar.listRobots();let{subscription:t}=this.connection;!this.unknownRobot||!this.store.robots.some(e=>e.id===t.robot)||(this.unknownRobot=!1,this.connection.subscribe(t))}#s(t){let{model:e}=this.store;this.connection.subscription=this.#i(e.robot),t&&t.robot===e.robot&&t.joints.length===e.joints.length&&t.joints.every((n,r)=>n.name===e.joints[r].name)||this.choice.reset(e.joints),this.table.rebuild(),this.bar.listRobots(),this.rebuild(),this.#o(e)}async#o(t){if(!t.urdf_url){this.view.clear(),this.viewMessage("No robot description yet");return}try{let e=await fetch(t.urdf_url,{cache:"no-store"}),i=await e.text();if(!e.ok)throw new Error(i.slice(0,200));if(this.store.model!==t)return;let n=i===this.urdf&&this.view.robot?null:this.view.load(i,this.store.hello?.mesh_packages??[]);this.urdf=i,this.viewMessage(n??"")}catch(e){this.viewMessage(`No robot description: ${e.message}`)}this.touch()}viewMessage(t){Vt("view-message").textContent=t,Vt("view-message").hidden=t===""}open(t){this.tabs.open(t)}toggleLimits(){this.choice.fitLimits=!this.choice.fitLimits,Vt("limits").setAttribute("aria-pressed",String(this.choice.fitLimits)),this.rebuild()}toggleSkeleton(){this.view.skeletonWanted=!this.view.skeletonShown,Vt("skeleton").setAttribute("aria-pressed",String(this.view.skeletonWanted)),this.touch()}nextEllipsoid(){let t=["none","manipulability","mass"];this.choice.ellipsoid=t[(t.indexOf(this.choice.ellipsoid)+1)%t.length],this.bar.say({none:"No ellipsoid",manipulability:`Manipulability at ${this.choice.frame}`,mass:`Effective mass at ${this.choice.frame}`}[this.choice.ellipsoid]),this.rebuild()}saveCsv(){let{store:t,timeline:e}=this;if(!t.history||t.history.length===0)return this.bar.say("Nothing to save yet");let i=Bp(t,e.start,e.end);return this.saved.csv++,this.saved.lastCsvRows=i.split(`
`).length-2,Vu(Gu(t,e.end,"csv"),new Blob([i],{type:"text/csv"})),this.bar.say(`Saved ${this.saved.lastCsvRows} rows of the window`)}async savePng(){let t=await zp(this,this.tabs.panel);this.saved.png++,Vu(Gu(this.store,this.timeline.head,"png"),t),this.bar.say("Saved the picture")}touch(){this.due.add("robot").add("panel").add("text")}rebuild(){this.panels?.forEach(t=>t.rebuild()),this.table?.mark(),Vt("ellipsoid-button").setAttribute("aria-pressed",String(this.choice.ellipsoid!=="none")),this.touch()}#l(){let t=this.view.lean?"lean":"usual",e=[{name:"robot",ms:0,draw:()=>this.#h()},{name:"panel",ms:_E[t],draw:()=>this.tabs.panel.draw()},{name:"text",ms:xE[t],draw:()=>this.#c()}],i=n=>{this.frames.tick(n);let{history:r}=this.store;this.due.size>0&&r&&this.timeline.follow(r.first,r.last);for(let o of e)this.#a(o,n);requestAnimationFrame(i)};requestAnimationFrame(i),setInterval(()=>{kl(),this.touch()},500)}#a(t,e){!this.due.has(t.name)||e-(t.at??-1/0)<t.ms||(this.due.delete(t.name),t.at=e,t.draw())}#c(){this.table.draw(),this.scrubber.draw(),this.bar.draw()}#h(){let{store:t,timeline:e,view:i,choice:n}=this,r=e.live?t.pose:t.poseAt(e.head);r&&i.pose(t.joints.map((l,c)=>[l.joint??l.name,r.position[c]]),r.base);let o=t.message("summary",e.head),a=t.message("external_wrench",e.head);i.showFrame(n.frame),i.showCom(o?.center_of_mass??null),i.showForce(a?.frame,a?.force,50),i.showEllipsoid(this.framePanel.shape(n.ellipsoid,i.linkPosition(n.frame)),n.frame),i.draw()}};vg(new rp);
